// Recognises in a query what facts of the index answer by themselves: roles and providers, a component, its version in a release, a flag, a port, a deletion.
{
  const { words } = ksys;
  // The number of pieces of a query above which it is a message, and of those that a name can have.
  const LONGEST = 12, NAME = 4;

  /** Returns the roles and providers that a query names, as keys such as `p:eks`. */
  function named(query, { named }) {
    const pieces = [...words.pieces(words.normal(query))].map(({ text }) => text);
    const found = new Set();
    for (let from = 0; from < pieces.length; from++) {
      for (let count = Math.min(NAME, pieces.length - from); count > 0; count--) {
        const key = words.key(pieces.slice(from, from + count).join(" "));
        if (!Object.hasOwn(named, key)) continue;
        for (const what of named[key]) found.add(what);
        from += count - 1;
        break;
      }
    }
    return [...found];
  }

  /**
   * Returns the keys of the answers to a query (`SearchAnswer` in src/search.rs), the most likely first. `document` is the document about the component that the query
   * names, `provider` the reader's own.
   */
  function asked(query, root, document, provider) {
    const pieces = [...words.pieces(words.normal(query))].map(({ text }) => text);
    if (pieces.length > LONGEST) return [];
    const found = named(query, root);
    const [providers, roles] = ["p:", "r:"].map((kind) => found.filter((what) => what.startsWith(kind)));
    const about = [...roles, ...document === undefined || roles.length ? [] : [`d:${document}`]];
    const settings = [...query.matchAll(/(?<![^\s"'`(])--?[a-z][\w-]+/gi), ...pieces.length < 3 ? query.matchAll(/\b\d{2,5}\b/g) : []];
    const own = providers.length || !roles.length || !provider ? providers : [`p:${provider}`];
    const ofProviders = about.flatMap((what) => own.map((provider) => `${provider} ${what}`));
    // A release asks for the version in it.
    const lines = [...query.matchAll(/(?<![\d.])v?(\d+\.\d+)/g)].map(([, line]) => line);
    return [
      ...lines.flatMap((line) => ofProviders.map((key) => `${key} ${line}`)),
      ...document !== undefined && pieces.some((piece) => root.deletion.includes(words.lower(piece))) ? [`v:${document}`] : [],
      ...settings.map(([text]) => `s:${words.key(text)}`),
      ...!roles.length && providers.length === 2 ? [[...providers].sort().join(" ")] : [],
      ...ofProviders,
    ];
  }

  ksys.named = named;
  ksys.asked = asked;
}
