//! Quantities of the Kubernetes API: `100m`, `1.5Gi`, `2e3`. Source: k8s.io/apimachinery, pkg/api/resource.

/// The suffixes with the factors that they stand for.
const SUFFIXES: [(&str, f64); 14] = [
    ("", 1.0),
    ("n", 1e-9),
    ("u", 1e-6),
    ("m", 1e-3),
    ("k", 1e3),
    ("M", 1e6),
    ("G", 1e9),
    ("T", 1e12),
    ("P", 1e15),
    ("Ki", 1024.0),
    ("Mi", 1_048_576.0),
    ("Gi", 1_073_741_824.0),
    ("Ti", 1_099_511_627_776.0),
    ("Pi", 1_125_899_906_842_624.0),
];

/// The maximum: greater numbers are not exact in the script of the page.
const MAX: f64 = 9_007_199_254_740_992.0;

/// An amount of CPU in thousandths of a processor, rounded up. `None` if the text is not a quantity.
#[must_use]
pub fn cpu(text: &str) -> Option<u64> {
    amount(text, 1000.0)
}

/// An amount of memory in bytes, rounded up. `None` if the text is not a quantity.
#[must_use]
pub fn memory(text: &str) -> Option<u64> {
    amount(text, 1.0)
}

fn amount(text: &str, unit: f64) -> Option<u64> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, suffix) = text.split_at(end);
    let is_number = number.len() <= 20 && number.bytes().any(|byte| byte.is_ascii_digit()) && number.matches('.').count() <= 1;
    // Exact where a thousand times a thousandth would not be.
    let factor = match suffix {
        "m" if unit > 1.0 => 1.0,
        _ => unit * factor(suffix)?,
    };
    let amount = number.parse::<f64>().ok().filter(|_| is_number)? * factor;
    // Rounding up must not count the error of a factor such as 10⁻³.
    let amount = (amount - 1e-6).ceil().max(0.0);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number from 0 to 2⁵³")]
    (amount <= MAX).then_some(amount as u64)
}

fn factor(suffix: &str) -> Option<f64> {
    if let Some(exponent) = suffix.strip_prefix(['e', 'E']).filter(|exponent| !exponent.is_empty()) {
        let exponent: i32 = exponent.parse().ok().filter(|exponent| (-9..=15).contains(exponent))?;
        return format!("1e{exponent}").parse().ok();
    }
    SUFFIXES.iter().find(|(known, _)| *known == suffix).map(|(_, factor)| *factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_of_every_form() {
        for (text, expected) in [
            ("100m", Some(100)),
            ("1", Some(1000)),
            ("0.1", Some(100)),
            ("1.5", Some(1500)),
            (".5", Some(500)),
            ("2e3", Some(2_000_000)),
            ("250000n", Some(1)),
            ("0", Some(0)),
            ("", None),
            ("m", None),
            ("1.2.3", None),
            ("100mm", None),
            ("-1", None),
            ("1e99", None),
        ] {
            assert_eq!(cpu(text), expected, "{text}");
        }
        for (text, expected) in [
            ("128Mi", Some(134_217_728)),
            ("1Gi", Some(1_073_741_824)),
            ("1G", Some(1_000_000_000)),
            ("500k", Some(500_000)),
            ("128974848", Some(128_974_848)),
            ("128974848000m", Some(128_974_848)),
            ("1.5Ki", Some(1536)),
            ("9999999P", None),
        ] {
            assert_eq!(memory(text), expected, "{text}");
        }
    }
}
