import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** Delay before the line under the cursor is loaded, so a held arrow key skips lines. */
const restMs = 120;

/** The line under the cursor. It runs ahead of the loaded line while a key is held. */
export function useCursor(
  selected: number,
  select: (number: number) => void,
): readonly [number, (number: number, isFinal: boolean) => void] {
  const [cursor, setCursor] = useState(selected);
  const requested = useRef(selected);
  const timer = useRef<number>(undefined);
  // A layout effect runs before the next key event; a later effect would undo moves in between.
  useLayoutEffect(() => {
    if (selected === requested.current) return;
    clearTimeout(timer.current);
    requested.current = selected;
    setCursor(selected);
  }, [selected]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const load = (number: number) => {
    requested.current = number;
    select(number);
  };
  const move = (number: number, isFinal: boolean) => {
    setCursor(number);
    clearTimeout(timer.current);
    if (isFinal) load(number);
    else timer.current = window.setTimeout(load, restMs, number);
  };
  return [cursor, move];
}
