//! The kernels on the device.

use gpumex::memory::MemoryKind;
use gpumex::ops::raytrace::RaytraceVariant;
use gpumex::raytrace::PictureLayout;

use crate::common::*;
use crate::scene::{Cast, Kind, Scene};

const VARIANTS: [RaytraceVariant; 5] = [
    RaytraceVariant::Auto,
    RaytraceVariant::Binned,
    RaytraceVariant::Global,
    RaytraceVariant::ReadOnly,
    RaytraceVariant::Constant,
];
const LONG: f64 = 100.0; // ms

pub fn report(ctx: Token) {
    let names = VARIANTS.map(|variant| format!("{variant:>9?}")).join(" | ");
    println!("{:26} | {names} | best textbook / Auto", "kernel ms");
    let course = (4..=11).map(|power| Kind::course(1 << power));
    for kind in course.chain([Kind::MILLION]) {
        variants(ctx, kind);
    }
    forms(ctx);
}

/// All of them cast the same picture.
fn variants(ctx: Token, kind: Kind) {
    let scene = Scene::new(ctx, MemoryKind::Device, kind);
    let mut first = None;
    let ms = VARIANTS.map(|variant| {
        let cast = Cast::of(variant);
        let once = scene.ms(cast);
        let ms = if once > LONG { once } else { scene.median_ms(cast, 21) };
        if !ms.is_nan() {
            let picture = scene.picture();
            assert!(*first.get_or_insert_with(|| picture.clone()) == picture, "{variant:?}: another picture");
        }
        ms
    });
    let textbook = ms[2].min(ms[3]).min(ms[4]);
    let ms = ms.map(|ms| format!("{ms:9.4}")).join(" | ").replace("NaN", "  -");
    println!("{:26} | {ms} | {:.1}", kind.title(), textbook / scene.median_ms(Cast::of(VARIANTS[0]), 21));
}

/// What the form of the picture costs.
fn forms(ctx: Token) {
    let kind = Kind::course(2048);
    let scene = Scene::new(ctx, MemoryKind::Device, kind);
    for layout in [PictureLayout::Interleaved, PictureLayout::PlanarRows, PictureLayout::PlanarColumns] {
        for channels in [4, 3] {
            let ms = scene.median_ms(Cast { variant: RaytraceVariant::Auto, channels, layout }, 21);
            let name = format!("{layout:?}, {channels} channels");
            println!("{name:26} | {ms:9.4}");
        }
    }
}
