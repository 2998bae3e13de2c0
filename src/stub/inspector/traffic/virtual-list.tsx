// biome-ignore-all lint/a11y: only the visible rows exist, so this is a grid; the grid has focus and keys, not its rows.
import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { indexFrom, type Numbered } from "./index-from.ts";
import "./virtual-list.css";

interface Column {
  /** Part of the class name of its cells. */
  readonly name: string;
  readonly title: string;
}

interface VirtualListProps<Row extends Numbered> {
  readonly label: string;
  readonly columns: readonly Column[];
  /** By ascending numbers. */
  readonly rows: readonly Row[];
  readonly cellsOf: (row: Row) => readonly ComponentChildren[];
  /** Additional class name of a row. */
  readonly kindOf: (row: Row) => string;
  readonly selected: number;
  /** `isFinal` is false while the user moves through the list by keys. */
  readonly onSelect: (number: number, isFinal: boolean) => void;
}

/** Height of the head in pixels, equal to that in virtual-list.css. */
const headHeight = 28;
const rowsBeyond = 8;

/**
 * A grid that draws only visible rows. It follows new rows until the user scrolls up. It then keeps its position and shows
 * the number of new rows.
 */
export function VirtualList<Row extends Numbered>(props: VirtualListProps<Row>) {
  const { label, columns, rows, selected } = props;
  const id = useId();
  const scroller = useScroller(rows, selected);
  const { rowHeight } = scroller;
  const first = Math.max(0, Math.floor(scroller.top / rowHeight) - rowsBeyond);
  const last = Math.min(rows.length, Math.ceil((scroller.top + scroller.height) / rowHeight) + rowsBeyond);
  const selectedIndex = indexFrom(rows, selected);
  const isDrawn = rows[selectedIndex]?.number === selected && selectedIndex >= first && selectedIndex < last;
  const select = (number: number, isFinal: boolean) => {
    if (number !== rows.at(-1)?.number) scroller.stay();
    props.onSelect(number, isFinal);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const to = indexByKey(event.key, selected === 0 ? undefined : selectedIndex, rows, scroller);
    const row = to === undefined ? undefined : rows[Math.min(Math.max(to, 0), rows.length - 1)];
    if (row === undefined) return;
    event.preventDefault();
    select(row.number, event.key === "Enter");
  };
  return (
    <div class="virtual-list">
      <div
        ref={scroller.element}
        class="virtual-rows"
        role="grid"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-activedescendant={isDrawn ? `${id}-${selected}` : undefined}
        tabIndex={0}
        onScroll={scroller.scrolled}
        onKeyDown={onKeyDown}
      >
        <HeadRow columns={columns} />
        <div role="rowgroup" class="virtual-space" style={{ height: `${rows.length * rowHeight}px` }}>
          {rows.slice(first, last).map((row, index) => (
            <BodyRow
              key={row.number}
              id={id}
              row={row}
              index={first + index}
              top={(first + index) * rowHeight}
              list={{ ...props, onSelect: select }}
            />
          ))}
        </div>
      </div>
      {scroller.added > 0 && (
        <button type="button" class="virtual-added" onClick={scroller.toEnd}>
          {scroller.added} new <span aria-hidden="true">↓</span>
        </button>
      )}
    </div>
  );
}

function HeadRow({ columns }: { readonly columns: readonly Column[] }) {
  return (
    <div role="rowgroup" class="virtual-head">
      <div role="row" aria-rowindex={1} class="virtual-row">
        {columns.map(({ name, title }) => (
          <span key={name} role="columnheader" class={`cell-${name}`} style={{ "--area": name }}>
            {title}
          </span>
        ))}
      </div>
    </div>
  );
}

interface BodyRowProps<Row extends Numbered> {
  readonly id: string;
  readonly row: Row;
  readonly index: number;
  /** Distance from the first row in pixels. */
  readonly top: number;
  readonly list: VirtualListProps<Row>;
}

function BodyRow<Row extends Numbered>({ id, row, index, top, list }: BodyRowProps<Row>) {
  const { columns, cellsOf, kindOf, selected, onSelect } = list;
  const cells = cellsOf(row);
  const isSelected = row.number === selected;
  return (
    <div
      role="row"
      id={`${id}-${row.number}`}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      class={`virtual-row ${kindOf(row)}`}
      style={{ top: `${top}px` }}
      // The list may move between press and release, so the press selects.
      onMouseDown={({ button }) => button === 0 && onSelect(row.number, true)}
      onClick={() => onSelect(row.number, true)}
    >
      {columns.map(({ name }, column) => (
        <span key={name} role="gridcell" class={`cell-${name}`} style={{ "--area": name }}>
          {cells[column]}
        </span>
      ))}
    </div>
  );
}

interface Viewport {
  readonly top: number;
  readonly height: number;
  readonly rowHeight: number;
}

function indexByKey(
  key: string,
  selected: number | undefined,
  rows: readonly Numbered[],
  { top, height, rowHeight }: Viewport,
): number | undefined {
  const page = Math.max(1, Math.floor(height / rowHeight) - 1);
  const topmost = Math.ceil(top / rowHeight);
  switch (key) {
    case "ArrowDown":
      return selected === undefined ? topmost : selected + 1;
    case "ArrowUp":
      return selected === undefined ? topmost + page - 1 : selected - 1;
    case "PageDown":
      return (selected ?? topmost) + page;
    case "PageUp":
      return (selected ?? topmost) - page;
    case "Home":
      return 0;
    case "End":
      return rows.length - 1;
    case "Enter":
      return selected ?? topmost;
    default:
      return undefined;
  }
}

/** Scroll position of the list: following its end, or fixed at a row. */
function useScroller(rows: readonly Numbered[], selected: number) {
  const element = useRef<HTMLDivElement>(null);
  const [viewport, setViewport] = useState<Viewport>({ top: 0, height: 0, rowHeight: headHeight });
  const { rowHeight } = viewport;
  /** The number of the newest row when the user left the end; undefined at the end. */
  const [leftAt, setLeftAt] = useState<number>();
  const place = useRef({ top: 0, height: 0, rowHeight, number: 0, shown: 0 });
  const measure = () => {
    const { scrollTop: top = 0, clientHeight = 0 } = element.current ?? {};
    const height = Math.max(0, clientHeight - headHeight);
    const number = rows[Math.floor(top / rowHeight)]?.number ?? 0;
    place.current = { ...place.current, top, height, rowHeight, number };
    setViewport((before) => (before.top === top && before.height === height ? before : { ...before, top, height }));
    return top + height >= (rows.length - 0.5) * rowHeight;
  };
  const stay = () => setLeftAt((before) => before ?? rows.at(-1)?.number ?? 0);
  const scrolled = () => {
    const before = place.current.top;
    if (measure()) setLeftAt(undefined);
    else if (place.current.top < before) stay();
  };
  useResized(element, () =>
    setViewport((before) => ({ ...before, height: -1, rowHeight: rowHeightOf(element.current) })),
  );
  useLayoutEffect(() => {
    if (element.current === null) return;
    const { top, height, number, shown, rowHeight: before } = place.current;
    const index = indexFrom(rows, selected);
    const isThere = rows[index]?.number === selected;
    const wasVisible = isThere && index * before >= top && index * before < top + height;
    if (leftAt !== undefined) element.current.scrollTop = indexFrom(rows, number) * rowHeight + (top % rowHeight);
    else element.current.scrollTop = element.current.scrollHeight;
    if (isThere && (shown !== selected || (leftAt !== undefined && wasVisible && viewport.height < 0))) {
      place.current.shown = selected;
      if (reveal(element.current, index * rowHeight, rowHeight)) stay();
    }
    measure();
    if (rows.length * rowHeight <= place.current.height) setLeftAt(undefined);
  }, [rows, leftAt, viewport.height, selected]);
  const toEnd = () => {
    setLeftAt(undefined);
    element.current?.focus({ preventScroll: true });
  };
  const added = leftAt === undefined ? 0 : rows.length - indexFrom(rows, leftAt + 1);
  return { element, ...viewport, scrolled, stay, toEnd, added };
}

function useResized(element: { readonly current: HTMLElement | null }, resized: () => void): void {
  useEffect(() => {
    const observer = new ResizeObserver(resized);
    if (element.current !== null) observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
}

/** The height of a row in pixels: a narrow list has two lines a row, see traffic-view.css. */
function rowHeightOf(element: HTMLElement | null): number {
  return element === null ? headHeight : Number.parseFloat(getComputedStyle(element).getPropertyValue("--row-height"));
}

/** Scrolls the minimum distance that makes a row visible; returns whether scrolling was needed. */
function reveal(element: HTMLElement, top: number, rowHeight: number): boolean {
  const height = element.clientHeight - headHeight;
  if (height <= 0 || (top >= element.scrollTop && top + rowHeight <= element.scrollTop + height)) return false;
  element.scrollTop = top < element.scrollTop ? top : top + rowHeight - height;
  return true;
}
