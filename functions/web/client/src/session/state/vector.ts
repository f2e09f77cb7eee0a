/**
 * A list that is a value: changing one element copies the few nodes on the way to it, and shares
 * all others with the list as it was.
 */

const BITS = 5;
const WIDTH = 1 << BITS;
const MASK = WIDTH - 1;

type Node<T> = readonly (Node<T> | T)[];

export interface Vector<T> {
  readonly length: number;
  readonly depth: number;
  readonly root: Node<T>;
}

export const EMPTY: Vector<never> = { length: 0, depth: 0, root: [] };

export function at<T>(vector: Vector<T>, index: number): T | undefined {
  if (index < 0 || index >= vector.length) {
    return undefined;
  }
  let node = vector.root;
  for (let shift = vector.depth * BITS; shift > 0; shift -= BITS) {
    node = node[(index >>> shift) & MASK] as Node<T>;
  }
  return node[index & MASK] as T;
}

/** `index` is at most the length: there it is added. */
export function put<T>(vector: Vector<T>, index: number, value: T): Vector<T> {
  const full = WIDTH ** (vector.depth + 1);
  if (index >= full) {
    return put({ ...vector, depth: vector.depth + 1, root: [vector.root] }, index, value);
  }
  const root = placed(vector.root, vector.depth * BITS, index, value);
  return { length: Math.max(vector.length, index + 1), depth: vector.depth, root };
}

function placed<T>(node: Node<T>, shift: number, index: number, value: T): Node<T> {
  const copy = node.slice();
  const slot = (index >>> shift) & MASK;
  copy[slot] =
    shift === 0
      ? value
      : placed((copy[slot] as Node<T> | undefined) ?? [], shift - BITS, index, value);
  return copy;
}
