/** Elements that may wait for earlier ones. */
export const reorderedMax = 1000;
/** Bytes of bodies that may wait for earlier ones. */
const reorderedBytesMax: number = 32 * 1024 * 1024;

interface Waiting<Element> {
  readonly element: Element;
  readonly start: number;
  readonly bytes: number;
}

/** Sorts an almost sorted sequence by time, with a limited buffer. */
export class Reordering<Element> {
  /** Sorted by start. */
  readonly #waiting: Waiting<Element>[] = [];
  #bytes = 0;

  add(element: Element, start: number, bytes: number): void {
    this.#bytes += bytes;
    const waiting = this.#waiting;
    let index = waiting.length;
    while (index > 0 && (waiting[index - 1]?.start ?? start) > start) index -= 1;
    if (index === waiting.length) waiting.push({ element, start, bytes });
    else waiting.splice(index, 0, { element, start, bytes });
  }

  /** Removes the first element if the buffer exceeds its limit. */
  overdue(): Element | undefined {
    return this.#waiting.length > reorderedMax || this.#bytes > reorderedBytesMax ? this.first() : undefined;
  }

  /** Removes the first element. */
  first(): Element | undefined {
    const first = this.#waiting.shift();
    if (first === undefined) return undefined;
    this.#bytes -= first.bytes;
    return first.element;
  }
}
