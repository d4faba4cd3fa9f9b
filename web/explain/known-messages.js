// Messages of components in lines of text. It follows src/listing/known_messages.rs rule for rule; the reasons are documented there.
{
  const MAX_VARIABLE = 40, MAX_WORDS = 2000;
  const wordsOf = (text) => (text.match(/\w+/g) ?? []).map((word) => word.toLowerCase());

  /** Returns a function that finds the messages in a line, from left to right. `known` are messages with their texts as `name`. */
  ksys.knownMessages = (known) => {
    const messages = known.map((message, order) => ({ ...message, order, parts: message.name.split("…").map(wordsOf).filter(({ length }) => length) }));
    const pairs = ({ parts }) => parts.flatMap((words, part) => words.slice(1).map((second, word) => ({ pair: `${words[word]} ${second}`, part, word })));
    const counts = new Map(), byPair = new Map();
    for (const { pair } of messages.flatMap(pairs)) counts.set(pair, (counts.get(pair) ?? 0) + 1);
    for (const message of messages) {
      const [rarest] = pairs(message).sort((a, b) => counts.get(a.pair) - counts.get(b.pair));
      if (rarest) byPair.set(rarest.pair, [...byPair.get(rarest.pair) ?? [], { message, ...rarest }]);
    }

    /** Returns where the words of a line are a message, given that the words at `at` are its pair. */
    function fit({ message: { parts }, part, word }, words, at) {
      const isAt = (own, start) => start >= 0 && own.every((word, index) => words[start + index] === word);
      /** Returns the first of the places from `start` on, in steps of `step`, where a part is. */
      const near = (own, start, step) => {
        for (let gap = 0; gap <= MAX_VARIABLE; gap++) if (isAt(own, start + gap * step)) return start + gap * step;
      };
      let start = at - word, end = start + parts[part].length;
      if (!isAt(parts[part], start)) return;
      for (const own of parts.slice(0, part).reverse()) {
        start = near(own, start - own.length, -1);
        if (start === undefined) return;
      }
      for (const own of parts.slice(part + 1)) {
        const next = near(own, end, 1);
        if (next === undefined) return;
        end = next + own.length;
      }
      return { start, end };
    }

    return (line) => {
      const words = wordsOf(line).slice(0, MAX_WORDS), found = [];
      for (let at = 0; at + 1 < words.length; at++) {
        for (const candidate of byPair.get(`${words[at]} ${words[at + 1]}`) ?? []) {
          const range = fit(candidate, words, at);
          if (range) found.push({ ...range, message: candidate.message });
        }
      }
      const taken = new Set(), range = ({ start, end }) => Array.from({ length: end - start }, (_, index) => start + index);
      return found.sort((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start || a.message.order - b.message.order).filter((one) => {
        const own = range(one), isFree = !own.some((word) => taken.has(word));
        own.forEach((word) => taken.add(word));
        return isFree;
      }).sort((a, b) => a.start - b.start).map(({ message }) => message);
    };
  };
}
