/** Returns a generator of random numbers below a limit, deterministic for a seed (mulberry32). */
export function numbers(seed) {
  return (limit) => {
    seed = seed + 0x6d2b79f5 | 0;
    let value = Math.imul(seed ^ seed >>> 15, 1 | seed);
    value = value + Math.imul(value ^ value >>> 7, 61 | value) ^ value;
    return ((value ^ value >>> 14) >>> 0) % limit;
  };
}
