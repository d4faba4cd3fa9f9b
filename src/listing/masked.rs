//! Names whose generated suffixes are masked, as people do before they publish output.

use super::cells::is_name;

/// The name before the masked suffixes; `None` if nothing is masked: `coredns` of `coredns-xxxxx`, `coredns-*****`, `coredns-<hash>-xxxxx`.
pub(super) fn without_mask(name: &str) -> Option<&str> {
    let sign = name.find(['<', '[', '{', '*']);
    let before = match sign {
        Some(at) if name[at..].starts_with('*') || name[..at].ends_with('-') => name[..at].trim_end_matches('-'),
        Some(_) => return None,
        None => name,
    };
    let mut base = before;
    while let Some((rest, _)) = base.rsplit_once('-').filter(|(_, last)| is_mask(last)) {
        base = rest;
    }
    (base.len() < name.len() && is_name(base)).then_some(base)
}

/// Whether a part of a name is a mask: `xxx`, `XXXXX`, `??`.
fn is_mask(part: &str) -> bool {
    let all = |sign: u8| part.bytes().all(|byte| byte == sign);
    (part.len() > 2 && (all(b'x') || all(b'X'))) || (!part.is_empty() && all(b'?'))
}

#[cfg(test)]
mod tests {
    use super::without_mask;

    #[test]
    fn masks_of_every_kind() {
        for (name, expected) in [
            ("coredns-xxxxx", Some("coredns")),
            ("coredns-5d78c9869d-XXXXX", Some("coredns-5d78c9869d")),
            ("coredns-xxxxxxxxxx-xxxxx", Some("coredns")),
            ("coredns-*", Some("coredns")),
            ("coredns-<pod-hash>", Some("coredns")),
            ("coredns-[random]-x", Some("coredns")),
            ("etcd-??", Some("etcd")),
            ("coredns", None),
            ("coredns-xx", None),
            ("xxxxx", None),
            ("*", None),
            ("<none>", None),
        ] {
            assert_eq!(without_mask(name), expected, "{name}");
        }
    }
}
