import { addBit, type Bits, countBits, emptyBits, intersect, lowestCommon, removeBit } from './bits.ts';

/**
 * A maximum matching of slots with columns, made unique: as many required slots as possible are served, then as many of
 * all as possible; slots in order, each takes the earliest column that still leaves a matching as good.
 *
 * @param rows     for each slot the columns it can take; rows may be shared between slots
 * @param required the first so many slots are required, the others optional
 * @param columns  how many columns there are
 * @returns for each slot its column, or -1
 * @see Kuhn 1955, "The Hungarian method for the assignment problem" (augmenting paths); which edges lie in some maximum
 *   matching: Berge 1957, "Two theorems in graph theory" (alternating paths to a free column or to a free slot)
 */
export function matchEarliest(rows: readonly Bits[], required: number, columns: number): Int32Array {
  const greedy = matchGreedily(rows, columns);
  if (isBest(greedy, rows, required, columns)) return greedy;

  const all = new Matching(rows, rows.length, columns);
  const first = required < rows.length ? new Matching(rows, required, columns) : all;
  for (let slot = 0; slot < rows.length; slot += 1) {
    let choices = all.choices(slot);
    if (choices === null) continue;
    if (slot < required && first !== all) choices = intersect(choices, first.choices(slot) ?? choices);
    const column = lowestCommon(choices, choices);
    all.settle(slot, column);
    if (slot < required && first !== all) first.settle(slot, column);
  }
  return all.columnOf;
}

/** Each slot in order takes the earliest column that is left. */
function matchGreedily(rows: readonly Bits[], columns: number): Int32Array {
  const columnOf = new Int32Array(rows.length).fill(-1);
  const free = emptyBits(columns).fill(-1);
  rows.forEach((row, slot) => {
    const column = lowestCommon(row, free);
    if (column === -1) return;
    columnOf[slot] = column;
    removeBit(free, column);
  });
  return columnOf;
}

/** True where no matching can serve more: then greed has made the very choices that the rule asks for. */
function isBest(columnOf: Int32Array, rows: readonly Bits[], required: number, columns: number): boolean {
  const takeable = emptyBits(columns);
  let served = 0;
  let servable = 0;
  for (const [slot, row] of rows.entries()) {
    if (columnOf[slot] !== -1) served += 1;
    else if (slot < required && lowestCommon(row, row) !== -1) return false;
    if (lowestCommon(row, row) !== -1) servable += 1;
    for (let word = 0; word < row.length; word += 1) takeable[word] = (takeable[word] ?? 0) | (row[word] ?? 0);
  }
  return served === servable || served === countBits(takeable);
}

/** A maximum matching of the first `size` slots that is settled slot by slot without ever becoming smaller. */
class Matching {
  readonly columnOf: Int32Array;
  readonly #slotOf: Int32Array;
  readonly #rows: readonly Bits[];
  /** The same edges from the other side: for each column the slots that can take it. */
  readonly #slotsOf: readonly Bits[];
  readonly #size: number;
  /** Columns that are not settled yet. */
  readonly #open: Bits;
  /** The ways found by the last `choices`: the column that a slot would move to, or -1. */
  readonly #next: Int32Array;
  /** A slot without a column to which one of those ways leads, or -1. */
  #rescuer = -1;

  constructor(rows: readonly Bits[], size: number, columns: number) {
    this.#rows = rows;
    this.#size = size;
    this.#slotsOf = transpose(rows, size, columns);
    this.columnOf = new Int32Array(rows.length).fill(-1);
    this.#slotOf = new Int32Array(columns).fill(-1);
    this.#next = new Int32Array(rows.length).fill(-1);
    this.#open = emptyBits(columns).fill(-1);
    this.#maximise(columns);
  }

  /**
   * The columns that a slot can take while the matching keeps its size; null where there is none.
   * Slots are asked in order, and each is settled before the next.
   */
  choices(slot: number): Bits | null {
    const row = intersect(this.#row(slot), this.#open);
    const earliest = lowestCommon(row, row);
    if (earliest === -1) return null;
    const own = this.columnOf[slot] ?? -1;
    // Without a column of its own it can take anyone's: one in, one out.
    if (own === -1) return row;
    const released = this.#releasable(slot, own);
    return this.#rescuer === -1 ? intersect(row, released) : row;
  }

  /** @param column one of the slot's last choices */
  settle(slot: number, column: number): void {
    const own = this.columnOf[slot] ?? -1;
    const owner = this.#slotOf[column] ?? -1;
    removeBit(this.#open, column);
    if (owner === slot) return;
    if (own !== -1) this.#slotOf[own] = -1;
    this.#assign(slot, column);
    if (owner === -1) return;
    this.columnOf[owner] = -1;
    if (own !== -1) this.#move(this.#next[owner] === -1 ? this.#rescuer : owner);
  }

  #row(slot: number): Bits {
    return this.#rows[slot] ?? emptyBits(this.#slotOf.length);
  }

  #assign(slot: number, column: number): void {
    this.columnOf[slot] = column;
    this.#slotOf[column] = slot;
  }

  /** Moves a slot along the way found, then each that it displaces, until a free column ends it. */
  #move(start: number): void {
    let slot = start;
    while (slot !== -1) {
      const column = this.#next[slot] ?? -1;
      const displaced = this.#slotOf[column] ?? -1;
      this.#assign(slot, column);
      slot = displaced;
    }
  }

  /** Augmenting paths, one slot after the other. What a vain search has visited leads nowhere for ever after. */
  #maximise(columns: number): void {
    const promising = emptyBits(columns).fill(-1);
    for (let slot = 0; slot < this.#size; slot += 1) {
      const unvisited = promising.slice();
      if (!this.#augment(slot, unvisited)) promising.set(unvisited);
    }
  }

  #augment(start: number, unvisited: Bits): boolean {
    const cameFrom = new Map<number, number>();
    const queue = [start];
    for (const slot of queue) {
      const row = this.#row(slot);
      for (let column = lowestCommon(row, unvisited); column !== -1; column = lowestCommon(row, unvisited, column)) {
        removeBit(unvisited, column);
        cameFrom.set(column, slot);
        const owner = this.#slotOf[column] ?? -1;
        if (owner === -1) {
          this.#takeBack(start, column, cameFrom);
          return true;
        }
        queue.push(owner);
      }
    }
    return false;
  }

  /** Gives the free column to the slot that found it, that slot's to the one before, and so on up to the start. */
  #takeBack(start: number, free: number, cameFrom: ReadonlyMap<number, number>): void {
    let column = free;
    let slot = -1;
    while (slot !== start) {
      slot = cameFrom.get(column) ?? start;
      const before = this.columnOf[slot] ?? -1;
      this.#assign(slot, column);
      column = before;
    }
  }

  /** Searches backwards from the columns that are free, or would be, to all whose owner can move on. */
  #releasable(slot: number, own: number): Bits {
    const released = emptyBits(this.#slotOf.length);
    const queue: number[] = [];
    const release = (column: number): void => {
      addBit(released, column);
      queue.push(column);
    };
    this.#next.fill(-1);
    this.#rescuer = -1;
    release(own);
    this.#slotOf.forEach((owner, column) => {
      if (owner === -1) release(column);
    });
    const unvisited = emptyBits(this.#size).fill(-1);
    for (const column of queue) {
      const slots = this.#slotsOf[column] ?? unvisited;
      // Slots up to this one are settled.
      for (let other = lowestCommon(slots, unvisited, slot + 1); other !== -1; ) {
        removeBit(unvisited, other);
        this.#next[other] = column;
        const theirs = this.columnOf[other] ?? -1;
        if (theirs === -1) this.#rescuer = other;
        else release(theirs);
        other = lowestCommon(slots, unvisited, other + 1);
      }
    }
    return released;
  }
}

function transpose(rows: readonly Bits[], size: number, columns: number): Bits[] {
  const slotsOf = Array.from({ length: columns }, () => emptyBits(size));
  for (let slot = 0; slot < size; slot += 1) {
    const row = rows[slot] ?? emptyBits(columns);
    for (let column = lowestCommon(row, row); column !== -1; column = lowestCommon(row, row, column + 1)) {
      const slots = slotsOf[column];
      if (slots !== undefined) addBit(slots, slot);
    }
  }
  return slotsOf;
}
