// The content of a pasted line: without the signs, tags, numbers and comments that chats, wikis and terminals add. It follows src/listing/line.rs, masked.rs
// and the references of clean.rs rule for rule; the reasons are documented there.
globalThis.ksys ??= {};
{
  const BREAK = /<br[ \t]*\/?>/i;
  // Lines between the columns of a table, and all signs between or around cells.
  const BARS = /[|│┃║]/g, SIGNS = /[|`\u2500-\u257f]/g;
  const REFERENCES = { __proto__: null, nbsp: " ", lt: "<", gt: ">", quot: '"', "#39": "'" };

  const words = (text) => text.match(/\S+/g) ?? [];
  const upper = (text) => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
  const lower = (text) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  /** Returns a cell as the title of a column. */
  const title = (cell) => upper(words(cell).join("_"));

  /** Returns the text with characters in the place of HTML references. */
  const withCharacters = (text) => text.replace(/&(nbsp|lt|gt|quot|#39);/g, (_, name) => REFERENCES[name]);

  /** Returns the cells of a line between vertical lines; undefined for a line with fewer than two cells, and for the lines of a tree. */
  function cellsBetweenBars(text) {
    if ((text.match(BARS)?.length ?? 0) < 2 || /[├└]/.test(text)) return;
    const cells = text.split(BARS).map((cell) => cell.trim());
    if (!cells[0]) cells.shift();
    if (cells.length && !cells.at(-1)) cells.pop();
    return cells.length > 1 ? cells : undefined;
  }

  /** Returns a line without the number before it. */
  const withoutNumber = (text) => text.replace(/^(?:#[ \t]+|\d{1,5}(?:[:|.)]\s*|\s+)(?=[a-zA-Z]))/, "");
  /** Returns a row without the comment at its end. */
  const withoutComment = (text) => text.replace(/\s(?:#|\/\/|<[-=]|[←⬅])[^]*$/, "");

  /** Returns the name before the masked suffixes; undefined if nothing is masked. */
  function withoutMask(name) {
    const at = name.search(/[<[{*]/);
    if (at >= 0 && name[at] !== "*" && name[at - 1] !== "-") return;
    const before = at < 0 ? name : name.slice(0, at).replace(/-+$/, "");
    const base = before.replace(/(?:-(?:x{3,}|X{3,}|\?+))+$/, "");
    return base.length < name.length && ksys.lines.isName(base) ? base : undefined;
  }

  ksys.lines = {
    words, upper, lower, withCharacters, withoutComment, withoutMask,
    isName: (word) => /^[a-z\d]([a-zA-Z\d.:_-]*[a-zA-Z\d])?$/.test(word),
    isNumeric: (word) => /^[\d.]*$/.test(word),
    // An age or a point in time, as kubectl prints it.
    isAge: (cell) => /^(\d[\dsmhdy]*[smhdy]|[\d:T-]{19}Z)$/.test(cell),
    reader({ elements, name_titles: names }) {
      const tags = new RegExp(`</?(?:${elements.join("|")})(?:[\\s/][^<>]*)?>`, "gi");
      return {
        /** Returns the parts of a line between line breaks of HTML, with a space in the place of each tag. */
        parts: (line) => line.split(BREAK).map((part) => part.replace(tags, " ").trim()),
        /** Returns the text of a line as kubectl prints it. In a table with vertical lines, each cell becomes one word. */
        content(inner) {
          const text = inner.includes("**") ? inner.replaceAll("**", "").replace(/^_+|_+$/g, "") : inner, clear = (text) => text.replace(SIGNS, " ");
          const cells = cellsBetweenBars(text)?.map(clear), isHeader = cells?.some((cell) => names.includes(title(cell)));
          const joined = cells?.map((cell) => isHeader ? title(cell) : words(cell)[0] ?? "<none>").join("  ");
          return withoutNumber((joined ?? clear(text)).trim());
        },
      };
    },
  };
}
