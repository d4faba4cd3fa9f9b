// Finds the pages of printed names, which may have random parts, with the grammar that is part of the index (src/listing/pattern.rs).
{
  /**
   * Returns the kinds, names and namespaces that a pasted line may begin with. `whole`: the line is only a name, has a kind before the name, or
   * ends in an age as rows do; otherwise it may be a typed query.
   */
  function rows(text, { short }) {
    const cells = text.trim().split(/\s+/);
    const row = cells.length > 2 && /^(?:\d+[smhdy])+$/.test(cells.at(-1));
    return cells.slice(0, 2).map((cell, at) => {
      const [, kind, name] = /^([a-z]{2,})(?:\.[a-z0-9.-]+)?\/(.+)$/i.exec(cell) ?? [];
      return {
        kind: kind ? short[kind.toLowerCase()] ?? kind : "", name: name ?? cell, namespace: at ? cells[0] : "",
        whole: cells.length === 1 || row || !!kind,
      };
    }).filter(({ kind, name }) => /^[a-z0-9][a-z0-9.:-]*$/.test(name) && (kind || row || /[-.:\d]/.test(name)));
  }

  /** Returns the keys under which the index may have a name: every beginning that ends before a dash, a dot or a colon, and the empty string. */
  const stems = (name) => ["", ...[...name.matchAll(/[-.:]|$/g)].map(({ index }) => name.slice(0, index))];

  // The narrowness of the variable parts that can be words.
  const WORD = 2;

  const escaped = (text) => text.replace(/[.\\]/g, "\\$&");

  /**
   * Returns how well an entry of the index fits a row, `{literal, narrowness, varies, random}`; undefined if it doesn't. See `Fit` in src/listing/pattern.rs.
   * `varies`: the name has a variable part; `random`: that part isn't a word, so that the name is a printed one.
   */
  function fit([, , kind, pattern, namespace, needsNamespace], row, { parts, literal, kinds }) {
    if (row.namespace ? namespace && namespace !== row.namespace : needsNamespace) return;
    let best;
    for (const [of, suffix] of kinds[kind] ?? [[kind, []]]) {
      if (row.kind && `${row.kind}`.toLowerCase() !== of.toLowerCase()) continue;
      // Literal text and the names of variable parts, alternating.
      const pieces = [pattern, ...suffix.map((part) => `-{${part}}`)].join("").split(/[{}]/);
      const expression = pieces.map((piece, at) => at % 2 ? `(${parts[piece][0]})` : escaped(piece)).join("");
      const variable = new RegExp(`^${expression}$`).exec(row.name)?.slice(1);
      if (!variable) continue;
      const found = { literal: 0, narrowness: 0, varies: pieces.length > 1, random: variable.some((text) => /\d/.test(text)) };
      pieces.forEach((piece, at) => {
        found.literal += at % 2 ? 0 : piece.length;
        found.narrowness += at % 2 ? parts[piece][1] : piece && literal;
        found.random ||= at % 2 === 1 && parts[piece][1] > WORD;
      });
      if (!best || compare(found, best) > 0) best = found;
    }
    return best;
  }
  const compare = (a, b) => a.literal - b.literal || a.narrowness - b.narrowness;

  /** Returns the entries that fit a row best. */
  function best(entries, row, grammar) {
    const fitting = entries.map((entry) => ({ entry, fit: fit(entry, row, grammar) })).filter(({ fit }) => fit);
    const top = fitting.reduce((best, { fit }) => best && compare(best, fit) >= 0 ? best : fit, undefined);
    return fitting.filter(({ fit }) => !compare(fit, top));
  }

  ksys.names = { rows, stems, best };
}
