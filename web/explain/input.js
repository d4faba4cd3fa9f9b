// What an input without rows looks like, and the component that it names. It follows src/explain/input.rs and src/listing/messages.rs.
{
  // The number of lines that determine the form, and the number of characters from which a word without spaces is data.
  const FIRST_LINES = 40, LONG = 200;
  const KLOG = /^[IWEF]\d{4}\s+\d/, DATED = /^\d+-\d+-\S*/;

  const isLog = (line) => KLOG.test(line) || (DATED.test(line) && line.split(/\s/, 1)[0].length >= 10) || line.includes("level=") || line.startsWith('{"level"');

  /** Returns the form of a text, which is also the name of its message; undefined for any other text. */
  function form(text) {
    const lines = text.split("\n").map((line) => line.trim()).filter(Boolean).slice(0, FIRST_LINES), [first = ""] = lines;
    if (/^(data:image\/|iVBORw0KGgo)/.test(first) || (first.length >= LONG && /^[a-z\d+/=]*$/i.test(first))) return "picture";
    if (lines.some((line) => /alertname|^\[FIRING|^(- )?alert:/.test(line))) return "alert";
    if (lines.some((line) => /^(apiVersion:|kind:|"apiVersion")|\{\{/.test(line))) return "manifest";
    if (lines.length === 1 && !/\s/.test(first)) return (/\d/.test(first) && /^[\da-f.:/[\]]*$/i.test(first)) || first.includes("://") ? "address" : "word";
    if (lines.some(isLog)) return "log";
  }

  /** Returns the objects that a message may be about, the most specific first. */
  function objects(text) {
    const services = text.split("https://").slice(1).map((address) => /^([a-z\d-]+)\.([a-z\d-]+)\.svc(?![a-z\d-])/.exec(address)).filter(Boolean);
    const processes = ksys.guide.tables.about.filter(([part]) => text.includes(part));
    return [...services.map(([, name, namespace]) => ({ namespace, kind: "Service", name })), ...processes.map(([, name]) => ({ kind: "Process", name }))];
  }

  /** Whether the name of an object could be that of a component. */
  ksys.couldBeComponent = ({ kind, namespace, name }) => !ksys.guide.tables.instances.includes(kind) && (kind !== null || namespace !== null || name.includes("-"));

  /** Returns the form of an input without rows, and the id of the component that it is about. */
  ksys.refusal = (text) => ({ form: form(text), component: objects(text).map(ksys.componentOf).find(Boolean) });
}
