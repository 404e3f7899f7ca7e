//! Elements that are moved or counted: gather, scatter, compact, insertions, removals, intervals.

use super::View;

pub fn gather(view: &View) -> Result<(), String> {
    let (source, size) = (view.elements("source"), crate::number::dtype_size(view.dtype("result")).max(1));
    let zero = vec![0u8; size];
    let expected = view
        .positions("indices")
        .into_iter()
        .flat_map(|index| source.get(index).copied().unwrap_or(&zero).to_vec());
    view.expect("result", &expected.collect::<Vec<u8>>())
}

/// Whether no destination is given twice.
pub fn unique(view: &View) -> bool {
    let mut indices = view.positions("indices");
    indices.sort_unstable();
    indices.windows(2).all(|pair| pair[0] != pair[1])
}

pub fn scatter(view: &View) -> Result<(), String> {
    if !unique(view) && view.option("variant") != 1 {
        return Ok(());
    }
    let mut target = view.elements("target");
    for (element, index) in view.elements("source").into_iter().zip(view.positions("indices")) {
        if let Some(place) = target.get_mut(index) {
            *place = element;
        }
    }
    view.expect("target", &target.concat())
}

pub fn compact(view: &View) -> Result<(), String> {
    let flags = view.before("flags").unwrap_or_default();
    let kept: Vec<usize> = (0..flags.len()).filter(|index| flags[*index] != 0).collect();
    view.expect("needed", &(kept.len() as u64).to_le_bytes())?;
    let listed = &kept[..kept.len().min(view.number("capacity"))];
    view.expect_positions("positions", listed.iter().copied())?;
    let data = view.elements("data");
    if data.len() < flags.len() {
        return Ok(()); // data is NULL
    }
    view.expect("kept", &listed.iter().flat_map(|index| data[*index].to_vec()).collect::<Vec<u8>>())
}

pub fn bulk_insert(view: &View) -> Result<(), String> {
    let (a, indices, b) = (view.elements("a"), view.positions("indices"), view.elements("b"));
    let (mut expected, mut inserted) = (Vec::new(), 0);
    for place in 0..=b.len() {
        while inserted < a.len() && (indices[inserted] <= place || place == b.len()) {
            expected.extend_from_slice(a[inserted]);
            inserted += 1;
        }
        expected.extend_from_slice(b.get(place).copied().unwrap_or_default());
    }
    view.expect("result", &expected)
}

pub fn bulk_remove(view: &View) -> Result<(), String> {
    let indices = view.positions("indices");
    let left = view
        .elements("source")
        .into_iter()
        .enumerate()
        .filter(|(index, _)| indices.binary_search(index).is_err());
    view.expect("result", &left.flat_map(|(_, element)| element.to_vec()).collect::<Vec<u8>>())
}

/// The interval of an item: the last one that begins at or before it, the first one where there is none.
fn interval(scan: &[usize], item: usize) -> usize {
    scan.partition_point(|begin| *begin <= item).saturating_sub(1)
}

pub fn interval_expand(view: &View) -> Result<(), String> {
    let (scan, values) = (view.positions("scan"), view.elements("values"));
    let expected = (0..view.number("count")).flat_map(|item| values[interval(&scan, item)].to_vec());
    view.expect("output", &expected.collect::<Vec<u8>>())
}

pub fn load_balance_search(view: &View) -> Result<(), String> {
    let scan = view.positions("scan");
    view.expect_positions("indices", (0..view.number("count")).map(|item| interval(&scan, item)))
}

pub fn fill(view: &View) -> Result<(), String> {
    let value = view.before("value").unwrap_or_default();
    view.expect("array", &value.repeat(view.number("count")))
}

pub fn copy(view: &View) -> Result<(), String> {
    view.expect("to", view.before("from").unwrap_or_default())
}
