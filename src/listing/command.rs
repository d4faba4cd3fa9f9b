//! `kubectl` commands, as the context of the rows that they print.

use super::{
    cells::is_name,
    kinds::{is_own_group, known_kind},
    word_list::WordList,
};
use crate::markdown::is_prompt;

/// The parts of a kubectl command that its output depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct KubectlCommand {
    /// `-n kube-system`
    pub(super) namespace: Option<String>,
    /// The kind of every row, if only one kind is requested.
    pub(super) kind: Option<String>,
    /// Whether it selects some objects only, or a filter after a pipe removes some.
    pub(super) excerpt: bool,
    /// Whether it prints objects.
    pub(super) prints: bool,
}

/// Programs with the same output as kubectl.
pub(super) const PROGRAMS: &[&str] = &["kubectl", "kubectl.exe", "k", "oc", "kubecolor", "kubectl.sh"];
/// Programs that have kubectl as their first argument.
pub(super) const WRAPPERS: &[&str] = &["minikube", "microk8s", "k3s", "k0s", "sudo", "watch", "time", "viddy", "rke2"];
/// Verbs of kubectl: those that print rows, and those often used before and after them.
pub(super) const VERBS: WordList = WordList(
    "get describe top logs apply create delete edit exec rollout scale patch label annotate explain config version cluster-info \
     events wait run expose drain cordon uncordon taint port-forward api-resources auth debug cp diff",
);
/// Options of kubectl whose value is the next word.
pub(super) const WITH_VALUE: WordList = WordList(
    "-n --namespace --context --kubeconfig --cluster --user -o --output -l --selector --field-selector --sort-by -L \
     --label-columns -s --server --token --as -f --filename -c --container --template --chunk-size --request-timeout -v",
);
/// The last characters of prompts.
pub(super) const PROMPT_ENDS: [char; 8] = ['$', '#', '>', '❯', '➜', '✗', '%', 'λ'];
/// Other programs that print tables.
pub(super) const OTHERS: WordList = WordList(
    "argocd aws az cilium clusterctl crictl curl docker eksctl etcdctl flux gcloud helm ip istioctl kops linkerd lsblk lxc \
     nslookup tanzu velero",
);
/// Programs after a pipe that remove rows.
pub(super) const FILTERS: &[&str] = &["grep", "egrep", "rg", "ag", "head", "tail", "awk", "sed", "findstr", "select-string", "sls"];

/// Parses a line as a command; `None` if it is not one. Without a prompt, it must name kubectl and a verb.
pub(super) fn parse_command(line: &str) -> Option<KubectlCommand> {
    let prompted = is_prompt(line);
    // Most lines are rows, and end here.
    if !prompted && !may_name_a_program(line) {
        return is_other_program(line).then(KubectlCommand::default);
    }
    let mut words = line.split_whitespace().peekable();
    if !skip_program(&mut words, prompted) {
        return (prompted || is_other_program(line)).then(KubectlCommand::default);
    }
    let mut command = KubectlCommand::default();
    let (mut verb, mut what, mut arguments) = (None, "", 0);
    while let Some(word) = words.next() {
        match word {
            // The command that prints the rows may follow one that does not.
            "&&" | ";" if !verb.is_some_and(|verb| PRINTING.contains(&verb)) => {
                let rest = line.rsplit_once(word).map_or("", |(_, rest)| rest);
                return parse_command(&format!("$ {}", rest.trim()));
            }
            "&&" | "||" | ";" | ">" | ">>" => break,
            "|" => {
                command.excerpt |= words.peek().is_some_and(|filter| FILTERS.contains(&filter.to_ascii_lowercase().as_str()));
                break;
            }
            _ => {}
        }
        let (option, value) = word.split_once('=').map_or((word, None), |(option, value)| (option, Some(value)));
        if let Some(glued) = word.strip_prefix("-n").filter(|glued| !glued.is_empty() && !glued.starts_with('=')) {
            command.namespace = name_in(glued).or(command.namespace.take());
        } else if option.starts_with('-') && option.len() > 1 {
            let value = value.or_else(|| if WITH_VALUE.contains(option) { words.next() } else { None });
            match option {
                "-n" | "--namespace" => command.namespace = value.and_then(name_in).or(command.namespace.take()),
                "-l" | "--selector" | "--field-selector" => command.excerpt = true,
                _ => {}
            }
        } else if verb.is_none() {
            verb = Some(word);
        } else {
            what = if arguments == 0 { word } else { what };
            arguments += 1;
        }
    }
    let verb = verb.filter(|verb| VERBS.contains(verb));
    if verb.is_some_and(|verb| PRINTING.contains(&verb)) {
        command.prints = true;
        command.kind = requested_kind(what.split('/').next().unwrap_or_default());
        command.excerpt |= arguments > 1 || what.contains('/');
    }
    // The verb of a multi-line command may be on its next line.
    (prompted || verb.is_some() || line.ends_with('\\')).then_some(command)
}

/// Skips everything up to the name of one of the programs: a prompt, assignments, wrappers. Returns whether a command begins there.
fn skip_program<'a>(words: &mut impl Iterator<Item = &'a str>, prompted: bool) -> bool {
    let (mut plain, mut before) = (true, "");
    for word in words {
        let name = word.rsplit(['/', '\\', '>', '$', '#', '%']).next().unwrap_or_default();
        if PROGRAMS.contains(&name) {
            return prompted || plain || before.ends_with(PROMPT_ENDS) || word[..word.len() - name.len()].ends_with(PROMPT_ENDS);
        }
        // Another command begins after one of these.
        let begins = matches!(word, "&&" | "||" | "--") || word.ends_with(';');
        plain = begins || (plain && (WRAPPERS.contains(&name) || is_assignment(word)));
        before = word;
    }
    false
}

/// Whether one of the programs may be named in a line: each has `kubec` in its name, or ends in `k` or `oc`.
fn may_name_a_program(line: &str) -> bool {
    let bytes = line.as_bytes();
    bytes.iter().enumerate().any(|(at, byte)| match byte {
        b' ' | b'\t' => bytes[..at].ends_with(b"k") || bytes[..at].ends_with(b"oc"),
        b'k' => bytes[at..].starts_with(b"kubec"),
        _ => false,
    })
}

/// Verbs of kubectl that print objects.
const PRINTING: &[&str] = &["get", "describe", "top", "events"];

/// Whether a line without a prompt is a command of another program: its name, then a word or an option. Rows of a table have wider gaps, and an age at the end.
fn is_other_program(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let is_word = |word: &str| word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    !line.contains("  ")
        && !line.contains('\t')
        && !line.ends_with(|c: char| c.is_ascii_digit())
        && words.next().is_some_and(|word| OTHERS.contains(word))
        && words.next().is_some_and(is_word)
}

/// The kind of every row of such a command; `None` for `all` and for several kinds. A custom resource keeps its full name, so that no pattern of a built-in kind fits.
fn requested_kind(what: &str) -> Option<String> {
    let (word, group) = what.split_once('.').map_or((what, None), |(word, group)| (word, Some(group)));
    let are_letters = |text: &str, others: &[u8]| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || others.contains(&byte));
    if word.is_empty() || word == "all" || !are_letters(word, &[]) || !are_letters(group.unwrap_or_default(), b".-") {
        return None;
    }
    let is_own = group.is_none_or(|group| !group.contains('.') || is_own_group(group));
    Some(known_kind(word).filter(|_| is_own).unwrap_or(what).to_owned())
}

/// The name of a namespace without quotes; `None` for a variable of a script.
fn name_in(value: &str) -> Option<String> {
    let value = value.trim_matches(['"', '\'']);
    is_name(value).then(|| value.to_owned())
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_'))
}

#[cfg(test)]
mod tests {
    use super::parse_command;

    /// The namespace, the kind and whether it is an excerpt; `-` for no command.
    fn shape(line: &str) -> String {
        let Some(command) = parse_command(line) else { return "-".to_owned() };
        let excerpt = if command.excerpt { " excerpt" } else { "" };
        format!("{} {}{excerpt}", command.namespace.unwrap_or_default(), command.kind.unwrap_or_default())
    }

    #[test]
    fn commands_in_every_shell() {
        for line in [
            "$ kubectl get pods -n kube-system",
            "❯ k -n kube-system get po",
            "PS C:\\Users\\a b> kubectl get pods --namespace kube-system",
            "C:\\work>kubectl.exe get pods -nkube-system",
            "user@host:~$ kubectl get pods --namespace=kube-system -o wide",
            "[root@node1 ~]# kubectl get pod -n=kube-system",
            "~/work main ❯ kubectl get pods -n \"kube-system\"",
            "➜  work git:(main) ✗ oc get pods -n kube-system",
            "kubectl get pods -n kube-system",
            "sudo k3s kubectl get po -n kube-system",
            "KUBECONFIG=/tmp/x kubectl --context kind get pods -A -n kube-system",
            "minikube kubectl -- get pods -n kube-system",
        ] {
            assert_eq!(shape(line), "kube-system Pod", "{line}");
        }
    }

    #[test]
    fn what_a_command_asks_for() {
        for (line, expected) in [
            ("$ kubectl get all -A", " "),
            ("$ kubectl get ds,deploy -A", " "),
            ("$ kubectl get deployments.apps", " Deployment"),
            ("$ kubectl get daemonSets kube-proxy", " DaemonSet excerpt"),
            ("$ kubectl get svc/kube-dns", " Service excerpt"),
            ("$ kubectl get nodes.longhorn.io", " nodes.longhorn.io"),
            ("$ kubectl get endpointslices.discovery.k8s.io", " EndpointSlice"),
            ("$ kubectl -n velero get backupstoragelocation", "velero backupstoragelocation"),
            ("$ kubectl get pods -l k8s-app=kube-dns", " Pod excerpt"),
            ("$ kubectl get pods | grep -n dns", " Pod excerpt"),
            ("$ kubectl get pods | less", " Pod"),
            ("$ kubectl get pods --context a -o wide", " Pod"),
            ("$ ls -n", " "),
            ("$ kubectl get pods -n $NS", " Pod"),
        ] {
            assert_eq!(shape(line), expected, "{line}");
        }
    }

    #[test]
    fn sentences_and_rows_are_no_commands() {
        for line in
            ["kubectl 1/1 Running 0 1d", "use kubectl get pods to see them", "kubectl", "k 1/1 Running", "", "pod/k", "kubectl prints rows"]
        {
            assert_eq!(shape(line), "-", "{line}");
        }
    }
}
