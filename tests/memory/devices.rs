//! Contexts on two devices: device memory of the other one is refused, all else may be shared, in order.

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::platform::settings::Backend;

use super::arrays::*;
use super::operations::operations;
use crate::common::*;

/// A context on each of the first two devices; None where there are not as many.
fn two() -> Option<[Context; 2]> {
    let mut count = 0;
    // SAFETY: an int32_t.
    ok(unsafe { gpumex_device_count(&mut count) }, "gpumex_device_count");
    (count >= 2).then(|| {
        [0, 1].map(|device| {
            let handle = gpumex_context_create(Backend::Cuda as i32, device);
            assert!(!handle.is_null(), "device {device}: {}", last_error());
            Context { handle, backend: Backend::Cuda }
        })
    })
}

#[test]
fn device_memory_of_another_device_is_refused_by_every_operation() {
    let Some([first, second]) = two() else { return };
    for operation in operations() {
        let lend = |bytes: usize| Memory::new(first.handle, MemoryKind::Device, bytes);
        let inputs: Vec<Memory> = operation.inputs.iter().map(|(_, bytes)| lend(bytes.len())).collect();
        let addresses: Vec<_> = inputs.iter().map(|memory| memory.at).collect();
        let output = lend(operation.output.1);
        let status = operation.call(&second, &addresses, output.at);
        let words = [operation.name, "is memory of device 0", "this context runs on device 1"];
        refused(status, Status::InvalidArgument, &words, &operation.what);
    }
}

#[test]
fn managed_and_pinned_memory_is_shared_between_devices() {
    let Some([first, second]) = two() else { return };
    for operation in operations() {
        let want = operation.result_on_host(&first);
        for kind in [MemoryKind::Managed, MemoryKind::Pinned] {
            let inputs =
                operation.inputs.iter().map(|(_, bytes)| Array::holding(&first, Place::Of(kind), bytes));
            let mut inputs: Vec<Array> = inputs.collect();
            let mut output = Array::poison(&second, Place::Of(kind), operation.output.1);
            let addresses: Vec<_> = inputs.iter_mut().map(Array::at).collect();
            for ctx in [&second, &first, &second] {
                let what = format!("{}, {kind:?} memory on two devices", operation.what);
                ok(operation.call(ctx, &addresses, output.at()), &what);
                assert_same(&output.bytes(), &want, what);
            }
        }
    }
}
