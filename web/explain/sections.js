// Versions, requested resources and the removal of Nodes, as sentences and tables. It follows src/explain/sections.rs; the texts are part of the explain data.
globalThis.ksys ??= {};
{
  const MEBIBYTE = 2 ** 20, GIBIBYTE = 2 ** 30;

  /** Returns thousandths of a processor as Kubernetes writes them: `250m`, `1.25`. */
  const cpuText = (thousandths) => (thousandths < 1000 ? `${thousandths}m` : `${Math.floor((thousandths + 5) / 10) / 100}`);
  /** Returns bytes as Kubernetes writes them: `300Mi`, `1.5Gi`. */
  const memoryText = (bytes) => (bytes < GIBIBYTE ? `${Math.floor((bytes + MEBIBYTE / 2) / MEBIBYTE)}Mi` : `${Math.floor(bytes * 10 / GIBIBYTE + 0.5) / 10}Gi`);
  const percent = (part, all) => (all ? `${Math.floor(part * 100 / all)}` : "?");

  /** Returns the functions for the texts of a language. `nameOf`: the name of a component by its id. */
  ksys.sections = (words, separator, nameOf) => {
    const say = (key, values = {}) => words[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);

    /** Returns a version, whether it is supported, and the versions in the release of the provider. */
    function version({ version, supported, end, oldest, shipped }) {
      const state = supported === null ? undefined
        : end !== null ? say(supported ? "version_until" : "version_end", { date: end })
        : supported ? say("version_ok") : say("version_old", { version: oldest });
      const others = shipped.map(({ kind, ...of }) => say("version_shipped", { ...of, meaning: words[`version_kind_${kind}`] }));
      return [version, state, ...others].filter(Boolean).join(" · ");
    }

    /** Returns the sentences and tables about requested resources: `{lines, tables}`; a table is `{titles, rows, texts}`. */
    function cost({ cost }) {
      if (!cost) return;
      const { system, own, allocatable } = cost;
      const lines = [say("cost_line", {
        cpu: cpuText(system.requests.cpu), memory: memoryText(system.requests.memory), own_cpu: cpuText(own.requests.cpu), own_memory: memoryText(own.requests.memory),
      })];
      if (allocatable) lines.push(say("cost_share", { cpu: percent(system.requests.cpu, allocatable.cpu), memory: percent(system.requests.memory, allocatable.memory) }));
      if (cost.from_templates) lines.push(say("cost_templates"));
      if (system.without_requests) lines.push(say("cost_without", { n: system.without_requests }));
      const cells = (name, sum) => [name, `${sum.pods}`, cpuText(sum.requests.cpu), memoryText(sum.requests.memory), sum.without_limits ? "-" : memoryText(sum.limits.memory)];
      const rows = cost.components.map((one) => {
        const name = one.component === null ? words.unknown : nameOf(one.component);
        return cells(one.per_node ? say("cost_per_node", { name }) : name, one);
      });
      rows.push(cells(words.cost_system, system), cells(words.cost_own, own));
      if (allocatable) rows.push([words.cost_allocatable, "", cpuText(allocatable.cpu), memoryText(allocatable.memory), ""]);
      const share = (used, all, text) => (all === undefined ? text(used) : `${text(used)} (${percent(used, all)} %)`);
      const nodes = cost.nodes.map(({ node, allocatable: all, system, own }) => [node, ...[system, own].flatMap((of) => [share(of.cpu, all?.cpu, cpuText), share(of.memory, all?.memory, memoryText)])]);
      const titles = [words.node, ...[words.cost_system, words.cost_own].flatMap((who) => [words.cpu, words.memory].map((what) => `${who}: ${what}`))];
      const tables = [{ titles: [words.component, words.pods, words.cpu, words.memory, words.memory_limit], rows, texts: 1 }, { titles, rows: nodes, texts: 1 }];
      return { lines, tables: tables.filter(({ rows }) => rows.length) };
    }

    /** Returns the same about the removal of Nodes. */
    function scaleDown({ scale_down: found }) {
      if (!found) return;
      const kept = found.nodes.filter(({ disabled, blockers }) => disabled || blockers.length).length;
      const lines = [kept ? say("scale_line", { n: kept, all: found.nodes.length }) : words.scale_none];
      if (kept && !found.has_budgets && found.nodes.some(({ blockers }) => blockers.some(({ reason }) => reason === "system-pod"))) lines.push(words.scale_budgets);
      const reason = ({ reason, volumes }) => say(`block_${reason.replaceAll("-", "_")}`, { volumes: volumes.join(separator) });
      const rows = found.nodes.flatMap(({ node, disabled, blockers }) => [
        ...disabled ? [[node, "", words.scale_disabled]] : [],
        ...blockers.map((pod) => [node, `${pod.namespace ? `${pod.namespace}/` : ""}${pod.name}`, reason(pod)]),
      ]);
      const names = (ids) => ids.map(nameOf).join(separator);
      const more = [
        ...found.tolerate_all.length ? [`${words.tolerate_all}${words.colon}${names(found.tolerate_all)}`] : [],
        ...found.priorities.map((one) => `${say("priority", { class: one.class })}${words.colon}${names(one.components)}`),
      ];
      return { lines, tables: rows.length ? [{ titles: [words.node, words.scale_pod, words.reason], rows, texts: 3 }] : [], more, rules: words.scale_rules };
    }

    return { say, version, cost, scaleDown };
  };
}
