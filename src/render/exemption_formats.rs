//! The formats of lists of system workloads, and the addresses of their files.

use crate::{id::Id, layout::DATA_FOLDER};

/// A format of exemptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExemptionFormat {
    Kyverno,
    Gatekeeper,
    Polaris,
    Kubescape,
    Alertmanager,
}

impl ExemptionFormat {
    /// Every format, in the order in which they are shown.
    pub(super) const ALL: [Self; 5] = [Self::Kyverno, Self::Gatekeeper, Self::Polaris, Self::Kubescape, Self::Alertmanager];

    pub(super) const fn id(self) -> &'static str {
        match self {
            Self::Kyverno => "kyverno",
            Self::Gatekeeper => "gatekeeper",
            Self::Polaris => "polaris",
            Self::Kubescape => "kubescape",
            Self::Alertmanager => "alertmanager",
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Kyverno => "Kyverno",
            Self::Gatekeeper => "Gatekeeper",
            Self::Polaris => "Polaris",
            Self::Kubescape => "Kubescape",
            Self::Alertmanager => "Alertmanager",
        }
    }

    /// The documentation of the format.
    pub(super) const fn documentation(self) -> &'static str {
        match self {
            Self::Kyverno => "https://kyverno.io/docs/policy-types/cluster-policy/match-exclude/",
            Self::Gatekeeper => "https://open-policy-agent.github.io/gatekeeper/website/docs/exempt-namespaces/",
            Self::Polaris => "https://polaris.docs.fairwinds.com/customization/exemptions/",
            Self::Kubescape => "https://github.com/kubescape/kubescape/blob/master/examples/exceptions/README.md",
            Self::Alertmanager => "https://prometheus.io/docs/alerting/latest/configuration/#matcher",
        }
    }
}

/// The path of the file of a provider.
pub(super) fn exemptions_path(provider: &Id, format: ExemptionFormat) -> String {
    let extension = if format == ExemptionFormat::Kubescape { "json" } else { "yaml" };
    format!("{}exemptions/{provider}/{}.{extension}", DATA_FOLDER, format.id())
}
