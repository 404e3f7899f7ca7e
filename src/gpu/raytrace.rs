//! Ray caster on the device.

use std::sync::Mutex;

use super::Device;
use super::kernels::{
    RAYTRACE_CONSTANT_SPHERES, gpumexk_raytrace_constant, gpumexk_raytrace_global, gpumexk_raytrace_read_only,
};
use super::memory::Buffer;
use super::tuning::Kernel;
use crate::array::{View, ViewMut};
use crate::error::{Error, Result};
use crate::fork::lock;
use crate::raytrace::{Picture, PictureLayout};

/// The memory path of the kernel.
#[derive(Clone, Copy)]
pub enum Path {
    Global,
    ReadOnly,
    Constant,
}

impl Path {
    fn kernel(self) -> Kernel {
        match self {
            Path::Global => Kernel::RaytraceGlobal,
            Path::ReadOnly => Kernel::RaytraceReadOnly,
            Path::Constant => Kernel::RaytraceConstant,
        }
    }
}

/// image (height, width, 4) ← the spheres (count, 7).
pub fn raytrace(
    device: &Device,
    path: Path,
    spheres: View<f32>,
    picture: &Picture,
    image: ViewMut<u8>,
) -> Result<()> {
    if picture.channels != 4 || picture.layout != PictureLayout::Interleaved {
        return Err(Error::unsupported("pictures are RGBA, interleaved"));
    }
    let (width, height) = (picture.width, picture.height);
    let count = spheres.len() / 7;
    let scene = device.read(&spheres)?;
    let mut rgba = device.write(image)?;
    let is_chunked = matches!(path, Path::Constant) && count > RAYTRACE_CONSTANT_SPHERES;
    let depth = Buffer::<f32>::new(device, if is_chunked { width * height } else { 0 })?;
    let (from, to) = (scene.as_ptr(), rgba.as_mut_ptr());
    let tuning = &device.tuning(path.kernel());
    // There is one constant bank a device: the calls that use it take turns, each until its image is there.
    static CONSTANT_BANK: Mutex<()> = Mutex::new(());
    let _turn = matches!(path, Path::Constant).then(|| lock(&CONSTANT_BANK));
    // SAFETY: scene holds count·7 floats, rgba height·width·4 bytes, depth height·width floats where it is used.
    device.launch(|stream| unsafe {
        match path {
            Path::Global => gpumexk_raytrace_global(from, count, width, height, to, tuning, stream),
            Path::ReadOnly => gpumexk_raytrace_read_only(from, count, width, height, to, tuning, stream),
            Path::Constant => {
                gpumexk_raytrace_constant(from, count, width, height, depth.as_ptr(), to, tuning, stream)
            }
        }
    })?;
    if matches!(path, Path::Constant) {
        device.synchronize()?; // before the bank is the next call's
    }
    rgba.finish()
}
