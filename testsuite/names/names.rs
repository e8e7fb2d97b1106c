// SPDX-License-Identifier: GPL-2.0-or-later
// Names as Rust makes them.
use std::collections::HashMap;
use std::fmt;

struct Pair<T>(T, T);

impl<T: fmt::Display> fmt::Display for Pair<T> {
    #[inline(never)]
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} {}", self.0, self.1)
    }
}

#[inline(never)]
fn total<const N: usize>(numbers: &[u32; N]) -> u32 {
    numbers.iter().map(|n| n + 1).sum()
}

fn main() {
    let mut counts: HashMap<String, Vec<u32>> = HashMap::new();
    counts.entry("one".to_string()).or_default().push(total(&[1, 2, 3]));
    let closure = |x: u32| x + counts.len() as u32;
    println!("{} {} {}", Pair(1, 2), Pair("a", "b"), closure(3));
}
