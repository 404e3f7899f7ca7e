//! Ray caster on the device.

use std::ffi::c_int;
use std::sync::Mutex;

use super::Device;
use super::runtime::device::check_launch;
use super::runtime::kernels::{self, RAYTRACE_CONSTANT_SPHERES};
use super::runtime::kernels::{
    gpumexk_raytrace_binned, gpumexk_raytrace_binned_scratch, gpumexk_raytrace_constant,
    gpumexk_raytrace_global, gpumexk_raytrace_read_only,
};
use super::runtime::memory::Buffer;
use super::runtime::tuning::Kernel;
use crate::array::{View, ViewMut};
use crate::error::Result;
use crate::model::raytrace::RaytraceVariant;
use crate::model::raytrace::{Picture, PictureLayout};
use crate::platform::fork::lock;

impl RaytraceVariant {
    fn kernel(self) -> Kernel {
        match self {
            RaytraceVariant::Global => Kernel::RaytraceGlobal,
            RaytraceVariant::ReadOnly => Kernel::RaytraceReadOnly,
            RaytraceVariant::Constant => Kernel::RaytraceConstant,
            _ => Kernel::RaytraceBinned,
        }
    }
}

/// What a launcher casts: `count` spheres of 7 floats, to the bytes of a picture. Both live until the stream has come past.
struct Cast {
    spheres: *const f32,
    count: usize,
    picture: kernels::Picture,
    image: *mut u8,
}

/// image ← the spheres (count, 7). What is beyond the binned kernel goes the plain way.
pub fn raytrace(
    device: &Device,
    variant: RaytraceVariant,
    spheres: View<f32>,
    picture: &Picture,
    image: ViewMut<u8>,
) -> Result<()> {
    let scene = device.read(&spheres)?;
    let mut shown = device.write(image)?;
    let cast = Cast {
        spheres: scene.as_ptr(),
        count: spheres.len() / 7,
        picture: form_of(picture),
        image: shown.as_mut_ptr(),
    };
    match variant {
        RaytraceVariant::Global | RaytraceVariant::ReadOnly => plain(device, variant, &cast)?,
        RaytraceVariant::Constant => in_constant_memory(device, &cast)?,
        _ => match scratch_for(&cast)? {
            Some(bytes) => binned(device, &cast, bytes)?,
            None => plain(device, RaytraceVariant::ReadOnly, &cast)?,
        },
    }
    shown.finish()
}

fn form_of(picture: &Picture) -> kernels::Picture {
    kernels::Picture {
        width: picture.width,
        height: picture.height,
        channels: if picture.channels == 3 { 3 } else { 4 },
        layout: match picture.layout {
            PictureLayout::Interleaved => 0,
            PictureLayout::PlanarRows => 1,
            PictureLayout::PlanarColumns => 2,
        },
    }
}

fn plain(device: &Device, variant: RaytraceVariant, cast: &Cast) -> Result<()> {
    let tuning = &device.tuning(variant.kernel());
    let Cast { spheres, count, ref picture, image } = *cast;
    // SAFETY: the arrays are as long as Cast says.
    device.launch(|stream| unsafe {
        match variant {
            RaytraceVariant::Global => {
                gpumexk_raytrace_global(spheres, count, picture, image, tuning, stream)
            }
            _ => gpumexk_raytrace_read_only(spheres, count, picture, image, tuning, stream),
        }
    })
}

fn in_constant_memory(device: &Device, cast: &Cast) -> Result<()> {
    let tuning = &device.tuning(Kernel::RaytraceConstant);
    let Cast { spheres, count, ref picture, image } = *cast;
    device.refuse_capture("there is one bank of constant memory, which the next call fills")?;
    let is_chunked = count > RAYTRACE_CONSTANT_SPHERES;
    let depth = Buffer::<f32>::new(device, if is_chunked { picture.width * picture.height } else { 0 })?;
    // There is one constant bank a device: the calls that use it take turns, each until its image is there.
    static CONSTANT_BANK: Mutex<()> = Mutex::new(());
    let _turn = lock(&CONSTANT_BANK);
    // SAFETY: the arrays are as long as Cast says, and depth holds height·width floats where it is used.
    device.launch(|stream| unsafe {
        gpumexk_raytrace_constant(spheres, count, picture, depth.as_ptr(), image, tuning, stream)
    })?;
    device.synchronize() // before the bank is the next call's
}

/// Bytes of scratch of the binned kernel; None for what it does not serve.
fn scratch_for(cast: &Cast) -> Result<Option<usize>> {
    let (mut bytes, mut is_served): (usize, c_int) = (0, 0);
    // SAFETY: a picture to read, two numbers to write to.
    check_launch(unsafe {
        gpumexk_raytrace_binned_scratch(cast.count, &cast.picture, &mut bytes, &mut is_served)
    })?;
    Ok((is_served != 0).then_some(bytes))
}

fn binned(device: &Device, cast: &Cast, bytes: usize) -> Result<()> {
    let tuning = &device.tuning(Kernel::RaytraceBinned);
    let Cast { spheres, count, ref picture, image } = *cast;
    let scratch = Buffer::<u8>::new(device, bytes)?;
    // SAFETY: the arrays are as long as Cast says, and scratch has the bytes that the launcher asked for.
    device.launch(|stream| unsafe {
        gpumexk_raytrace_binned(spheres, count, picture, scratch.as_ptr().cast(), image, tuning, stream)
    })
}
