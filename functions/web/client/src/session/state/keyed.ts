/** A dictionary that is a value: setting a key copies the few nodes on the way to it. */

const BITS = 4;
const MASK = (1 << BITS) - 1;
const HASH_BITS = 32;

class Leaf<V> {
  constructor(
    readonly hash: number,
    readonly key: string,
    readonly value: V,
    /** Another key with the very same hash. */
    readonly next: Leaf<V> | undefined,
  ) {}
}

type Branch<V> = readonly Slot<V>[];
type Slot<V> = Leaf<V> | Branch<V> | undefined;

export interface Keyed<V> {
  readonly root: Branch<V>;
}

export const NONE: Keyed<never> = { root: [] };

export function lookUp<V>(keyed: Keyed<V>, key: string): V | undefined {
  const hash = hashOf(key);
  let slot: Slot<V> = keyed.root;
  for (let shift = 0; slot !== undefined && !(slot instanceof Leaf); shift += BITS) {
    slot = slot[(hash >>> shift) & MASK];
  }
  let leaf = slot;
  while (leaf !== undefined && leaf.key !== key) {
    leaf = leaf.next;
  }
  return leaf?.value;
}

export function store<V>(keyed: Keyed<V>, key: string, value: V): Keyed<V> {
  return { root: stored(keyed.root, 0, hashOf(key), key, value) };
}

export function* entries<V>(keyed: Keyed<V>): Generator<[string, V]> {
  yield* leaves(keyed.root);
}

function* leaves<V>(branch: Branch<V>): Generator<[string, V]> {
  for (const slot of branch) {
    if (slot instanceof Leaf) {
      for (let leaf: Leaf<V> | undefined = slot; leaf !== undefined; leaf = leaf.next) {
        yield [leaf.key, leaf.value];
      }
    } else if (slot !== undefined) {
      yield* leaves(slot);
    }
  }
}

function stored<V>(
  branch: Branch<V>,
  shift: number,
  hash: number,
  key: string,
  value: V,
): Branch<V> {
  const copy = branch.slice();
  const index = (hash >>> shift) & MASK;
  copy[index] = settled(copy[index], shift + BITS, new Leaf(hash, key, value, undefined));
  return copy;
}

function settled<V>(slot: Slot<V>, shift: number, leaf: Leaf<V>): Slot<V> {
  if (slot === undefined) {
    return leaf;
  }
  if (!(slot instanceof Leaf)) {
    return stored(slot, shift, leaf.hash, leaf.key, leaf.value);
  }
  if (slot.hash === leaf.hash || shift >= HASH_BITS) {
    return chained(slot, leaf);
  }
  const apart: Slot<V>[] = [];
  apart[(slot.hash >>> shift) & MASK] = slot;
  return stored(apart, shift, leaf.hash, leaf.key, leaf.value);
}

function chained<V>(chain: Leaf<V> | undefined, leaf: Leaf<V>): Leaf<V> {
  if (chain === undefined) {
    return leaf;
  }
  return chain.key === leaf.key
    ? new Leaf(leaf.hash, leaf.key, leaf.value, chain.next)
    : new Leaf(chain.hash, chain.key, chain.value, chained(chain.next, leaf));
}

/** FNV-1a. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
