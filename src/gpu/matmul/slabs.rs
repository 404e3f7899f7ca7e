//! Large products of arrays in ordinary memory of the host: C in slabs of rows, so that one slab is multiplied while the rows of A of
//! the next are on their way up, and the rows of C of the one before on their way down.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use cudarc::driver::sys;

use super::super::Device;
use super::super::Float;
use super::super::runtime::memory::Buffer;
use super::super::runtime::primary::Primary;
use super::super::runtime::staging::Staging;
use super::super::runtime::stream::{Event, Stream};
use super::launch::launch;
use super::matrices::Source;
use super::on_device;
use crate::array::{View, ViewMut};
use crate::error::{Error, Result, Status};
use crate::interrupt::{self, Interrupt};
use crate::memory::Place;
use crate::model::matmul::MatmulVariant;
use crate::model::matmul::{Layout, Product};
use crate::platform::thread::prepare_worker;

/// Below, the copies take less than what slabs cost.
const LEAST_BYTES: usize = 64 << 20;
/// A slab is a multiple of these rows, a few tiles of the kernels.
const ROWS: usize = 512;
/// The first slab's rows of A, and the last one's of C, overlap with nothing.
const SLABS: usize = 8;
/// Multiplications and additions of a slab at most, unless it has ROWS rows: some 30 ms with 10 TFLOP/s. A call that is cancelled returns
/// when those that are in flight are done.
const SLAB_WORK: usize = 1 << 37;
/// Slabs that wait for their way down, beside the one that is on it.
const IN_FLIGHT: usize = 2;

/// Whether slabs pay off: A's rows and C's are many, and lie on the host behind each other.
pub fn pay(product: &Product, a: Place, c: Place, bytes: usize) -> bool {
    let is_contiguous = |layout: &Layout, cols: usize| !layout.transposed && layout.ld == cols;
    product.batch == 1
        && [a, c] == [Place::Host; 2]
        && is_contiguous(&product.a, product.k)
        && is_contiguous(&product.c, product.n)
        && bytes >= LEAST_BYTES
        && product.m >= 2 * ROWS
        && product.has_terms()
}

/// C ← alpha·A·op(B) + beta·C, with B on the device.
pub fn matmul<T: Float>(
    device: &Device,
    variant: MatmulVariant,
    product: &Product,
    a: &View<T>,
    b: &Source<T>,
    c: &mut ViewMut<T>,
) -> Result<()> {
    device.wait_at_end()?;
    let downward = Downward { primary: device.primary(), staging: &device.staging };
    let (done, finished) = sync_channel(IN_FLIGHT);
    let call = Interrupt::current();
    let buffers = [Buffer::new(device, product.m * product.k)?, Buffer::new(device, product.m * product.n)?];
    std::thread::scope(|scope| {
        let bring = std::thread::Builder::new()
            .name("gpumex-slabs".to_string())
            .spawn_scoped(scope, move || call.run(|| downward.bring(finished)))
            .map_err(|error| Error::new(Status::OutOfMemory, format!("no thread: {error}")))?;
        let multiplied = multiply(device, variant, product, &buffers, a, b, c, done);
        let brought = bring.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        multiplied.and(brought)
    })
}

/// Rows of C that are being computed, and where they go.
struct Slab<'c> {
    done: Event,
    from: sys::CUdeviceptr,
    to: &'c mut [u8],
}

/// Brings rows of A up, and starts the product of each slab.
#[allow(clippy::too_many_arguments)] // a product with its arrays, here and there
fn multiply<'c, T: Float>(
    device: &Device,
    variant: MatmulVariant,
    product: &Product,
    [on_a, on_c]: &[Buffer<T>; 2],
    a: &View<T>,
    b: &Source<T>,
    c: &'c mut ViewMut<T>,
    done: SyncSender<Slab<'c>>,
) -> Result<()> {
    let Product { m, n, k, .. } = *product;
    device.synchronize()?; // what used the memory of the buffers before, and what lends it in stream order
    let most = (SLAB_WORK / n.saturating_mul(k).max(1)).max(ROWS) / ROWS * ROWS;
    let rows = m.div_ceil(SLABS).next_multiple_of(ROWS).min(most);
    let slabs = c.bytes_on_host()?.chunks_mut(rows * n * size_of::<T>());
    for (first, to) in (0..m).step_by(rows).zip(slabs) {
        interrupt::check(first, m)?;
        let count = rows.min(m - first);
        let (from_a, to_c) = (on_a.as_ptr().wrapping_add(first * k), on_c.as_ptr().wrapping_add(first * n));
        device.upload_to_free(from_a, &a.part(first * k, count * k))?;
        if product.beta != 0.0 {
            // SAFETY: as many rows of the buffer, which nothing uses.
            unsafe { device.staging.upload_to_free(device.stream(), to_c as sys::CUdeviceptr, to)? };
        }
        let part = Product { m: count, b: b.layout, ..*product };
        launch::<T>(device, variant, &on_device(&part, from_a, b.as_ptr(), to_c))?;
        let slab =
            Slab { done: Event::create_timeless(device.primary())?, from: to_c as sys::CUdeviceptr, to };
        slab.done.record(device.stream())?;
        let _ = done.send(slab); // where nobody brings them any more, `bring` says why
    }
    device.close_kernels()
}

/// The way of C to the host.
struct Downward<'d> {
    primary: &'d Arc<Primary>,
    staging: &'d Staging,
}

impl Downward<'_> {
    /// Brings each slab once it is there, whatever comes behind it in the stream of the kernels; on a thread of its own.
    fn bring(&self, finished: Receiver<Slab>) -> Result<()> {
        prepare_worker();
        let _current = self.primary.enter()?;
        let beside = Stream::create_beside(self.primary)?;
        for Slab { done, from, to } in finished {
            done.synchronize()?;
            // SAFETY: rows of the device's C, complete; the buffer lives until this thread has ended.
            unsafe { self.staging.download(beside.handle(), to, from)? };
        }
        Ok(())
    }
}
