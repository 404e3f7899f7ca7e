//! The kernels on the device.

use gpumex::memory::MemoryKind;
use gpumex::model::raytrace::PictureLayout;
use gpumex::ops::raytrace::RaytraceVariant;

use crate::common::*;
use crate::scene::{Cast, Kind, Scene};

const VARIANTS: [RaytraceVariant; 5] = [
    RaytraceVariant::Auto,
    RaytraceVariant::Binned,
    RaytraceVariant::Global,
    RaytraceVariant::ReadOnly,
    RaytraceVariant::Constant,
];
const REPEATS: usize = 21;
const TEXTBOOK_MOST: usize = 1 << 16; // spheres: beyond, a picture of theirs takes seconds

pub fn report(ctx: Handle) {
    let names = VARIANTS.map(|variant| format!("{variant:>9?}")).join(" | ");
    println!("{:26} | {names} | textbook / Auto", "kernel ms");
    let course = (4..=11).map(|power| Kind::course(1 << power));
    for kind in course.chain([Kind::MILLION]) {
        variants(ctx, kind);
    }
    forms(ctx);
}

/// All of them cast the same picture.
fn variants(ctx: Handle, kind: Kind) {
    let scene = Scene::new(ctx, MemoryKind::Device, kind);
    let mut first = None;
    let ms = VARIANTS.map(|variant| {
        let is_textbook = !matches!(variant, RaytraceVariant::Auto | RaytraceVariant::Binned);
        if is_textbook && kind.count > TEXTBOOK_MOST {
            return f64::NAN;
        }
        let ms = scene.median_ms(Cast::of(variant), REPEATS);
        if !ms.is_nan() {
            let picture = scene.picture();
            assert!(*first.get_or_insert_with(|| picture.clone()) == picture, "{variant:?}: another picture");
        }
        ms
    });
    let textbook = ms[2].min(ms[3]).min(ms[4]);
    let row = [&ms[..], &[textbook / ms[0]]].concat().into_iter().map(|value| format!("{value:9.4}"));
    println!("{:26} | {}", kind.title(), row.collect::<Vec<_>>().join(" | ").replace("NaN", "  -"));
}

/// What the form of the picture costs.
fn forms(ctx: Handle) {
    let kind = Kind::course(2048);
    let scene = Scene::new(ctx, MemoryKind::Device, kind);
    for layout in [PictureLayout::Interleaved, PictureLayout::PlanarRows, PictureLayout::PlanarColumns] {
        for channels in [4, 3] {
            let ms = scene.median_ms(Cast { variant: RaytraceVariant::Auto, channels, layout }, REPEATS);
            let name = format!("{layout:?}, {channels} channels");
            println!("{name:26} | {ms:9.4}");
        }
    }
}
