//! Keys in order: sorts, merges, set operations, joins and searches.

use std::cmp::Ordering;

use super::View;
use crate::number::Number;

/// The order of the keys of a call.
fn order(view: &View) -> impl Fn(Number, Number) -> Ordering + use<> {
    let descending = view.option("order") == 1;
    move |left, right| if descending { right.order(left) } else { left.order(right) }
}

/// The keys at positions, and what moves with them.
fn expect_moved(
    view: &View,
    keys: &str,
    sorted: &str,
    from: &[&[u8]],
    values: &[&[u8]],
    order: &[usize],
) -> Result<(), String> {
    let moved =
        |elements: &[&[u8]]| order.iter().flat_map(|index| elements[*index].to_vec()).collect::<Vec<u8>>();
    view.expect(keys, &moved(from))?;
    match view.option("payload") {
        1 => view.expect(sorted, &moved(values)),
        2 => view.expect_positions(sorted, order.iter().copied()),
        _ => Ok(()),
    }
}

/// The three sorts: one segment, or those of gpumex_segmented_sort.
pub fn sort(view: &View) -> Result<(), String> {
    let (numbers, less) = (view.numbers("keys"), order(view));
    let count = numbers.len();
    let mut begins = vec![0];
    if view.scope.value("segments").is_some() && view.number("segment_count") > 0 {
        let words = view.positions("segments");
        if view.option("segments_by") == 1 {
            begins.extend((1..count).filter(|index| words[index / 32] >> (index % 32) & 1 == 1));
        } else {
            if words.iter().any(|begin| *begin > count) {
                return Ok(()); // unspecified
            }
            begins.extend(words);
        }
    }
    begins.push(count);
    begins.dedup();
    let mut places: Vec<usize> = (0..count).collect();
    for pair in begins.windows(2) {
        places[pair[0]..pair[1]].sort_by(|left, right| less(numbers[*left], numbers[*right]));
    }
    expect_moved(view, "sorted", "sorted_values", &view.elements("keys"), &view.elements("values"), &places)
}

/// Both sorted arrays with their names, and which of them an element is of.
struct Two<'a> {
    a: Vec<Number>,
    b: Vec<Number>,
    elements: Vec<&'a [u8]>,
    values: Vec<&'a [u8]>,
}

fn two<'a>(view: &'a View) -> Two<'a> {
    let elements = [view.elements("a_keys"), view.elements("b_keys")].concat();
    let values = [view.elements("a_values"), view.elements("b_values")].concat();
    Two { a: view.numbers("a_keys"), b: view.numbers("b_keys"), elements, values }
}

pub fn merge(view: &View) -> Result<(), String> {
    let (two, less) = (two(view), order(view));
    let all = [two.a, two.b].concat();
    let mut places: Vec<usize> = (0..all.len()).collect();
    places.sort_by(|left, right| less(all[*left], all[*right]));
    expect_moved(view, "keys", "values", &two.elements, &two.values, &places)
}

pub fn set_operation(view: &View) -> Result<(), String> {
    let (two, less) = (two(view), order(view));
    if view.option("distinct") == 1 {
        let repeats = |keys: &[Number]| keys.windows(2).any(|pair| less(pair[0], pair[1]) == Ordering::Equal);
        if repeats(&two.a) || repeats(&two.b) {
            return Ok(()); // unspecified
        }
    }
    let (mut i, mut j, mut places) = (0, 0, Vec::new());
    while i < two.a.len() || j < two.b.len() {
        let key = match (two.a.get(i), two.b.get(j)) {
            (Some(a), Some(b)) if less(*b, *a) == Ordering::Less => *b,
            (Some(a), _) => *a,
            (_, Some(b)) => *b,
            _ => break,
        };
        let run =
            |keys: &[Number]| keys.iter().take_while(|other| less(**other, key) == Ordering::Equal).count();
        let (m, n) = (run(&two.a[i..]), run(&two.b[j..]));
        let (of_a, of_b) = (i..i + m, two.a.len() + j..two.a.len() + j + n);
        match view.option("op") {
            0 => places.extend(of_a.take(m.min(n))),
            1 => places.extend(of_a.chain(of_b.skip(m.min(n)))),
            2 => places.extend(of_a.skip(m.min(n))),
            _ => places.extend(of_a.skip(m.min(n)).chain(of_b.skip(m.min(n)))),
        }
        (i, j) = (i + m, j + n);
    }
    view.expect("needed", &(places.len() as u64).to_le_bytes())?;
    places.truncate(view.number("capacity"));
    expect_moved(view, "keys", "values", &two.elements, &two.values, &places)
}

/// How many keys precede a key, and how many precede or equal it.
fn bounds(keys: &[Number], key: Number, less: &impl Fn(Number, Number) -> Ordering) -> (usize, usize) {
    let lower = keys.partition_point(|other| less(*other, key) == Ordering::Less);
    (lower, keys.partition_point(|other| less(*other, key) != Ordering::Greater))
}

pub fn join(view: &View) -> Result<(), String> {
    let (a, b, less) = (view.numbers("a"), view.numbers("b"), order(view));
    let kind = view.option("kind");
    let mut pairs = Vec::new();
    for (i, key) in a.iter().enumerate() {
        let (lower, upper) = bounds(&b, *key, &less);
        pairs.extend((lower..upper).map(|j| (i, j)));
        if lower == upper && matches!(kind, 1 | 3) {
            pairs.push((i, usize::MAX));
        }
    }
    if matches!(kind, 2 | 3) {
        let alone = |key: Number| {
            let (lower, upper) = bounds(&a, key, &less);
            lower == upper
        };
        pairs.extend((0..b.len()).filter(|j| alone(b[*j])).map(|j| (usize::MAX, j)));
    }
    view.expect("needed", &(pairs.len() as u64).to_le_bytes())?;
    pairs.truncate(view.number("capacity"));
    view.expect_positions("a_indices", pairs.iter().map(|pair| pair.0))?;
    view.expect_positions("b_indices", pairs.iter().map(|pair| pair.1))
}

pub fn sorted_search(view: &View) -> Result<(), String> {
    let (a, b, less) = (view.numbers("a"), view.numbers("b"), order(view));
    let upper = view.option("bound") == 1;
    let bound = |(low, high): (usize, usize), upper: bool| if upper { high } else { low };
    view.expect_positions("a_indices", a.iter().map(|key| bound(bounds(&b, *key, &less), upper)))?;
    view.expect_positions("b_indices", b.iter().map(|key| bound(bounds(&a, *key, &less), !upper)))?;
    let flags = |keys: &[Number], others: &[Number]| -> Vec<u8> {
        keys.iter().map(|key| bounds(others, *key, &less)).map(|(low, high)| u8::from(low < high)).collect()
    };
    let (of_a, of_b) = (flags(&a, &b), flags(&b, &a));
    view.expect("a_flags", &of_a)?;
    view.expect("b_flags", &of_b)?;
    let count = |flags: &[u8]| flags.iter().map(|flag| u64::from(*flag)).sum::<u64>().to_le_bytes();
    view.expect("matches", &[count(&of_a), count(&of_b)].concat())
}

pub fn equality_count(view: &View) -> Result<(), String> {
    let (a, b, less) = (view.numbers("a"), view.numbers("b"), order(view));
    let found: Vec<(usize, usize)> = a.iter().map(|key| bounds(&b, *key, &less)).collect();
    view.expect_positions("counts", found.iter().map(|(low, high)| high - low))?;
    view.expect_positions("lower", found.iter().map(|(low, _)| *low))
}

pub fn check_sorted(view: &View) -> Result<(), String> {
    let (keys, less) = (view.numbers("keys"), order(view));
    let wrong = |pair: &[Number]| match less(pair[0], pair[1]) {
        Ordering::Less => false,
        Ordering::Equal => view.option("strict") == 1,
        Ordering::Greater => true,
    };
    let first = keys.windows(2).position(wrong).map_or(keys.len(), |index| index + 1);
    view.expect("first_bad", &(first as u64).to_le_bytes())
}
