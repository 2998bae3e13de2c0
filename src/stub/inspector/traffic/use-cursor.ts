import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** So long somebody rests on a line before it is shown: whoever holds an arrow key is on the way. */
const restMs = 120;

/** The line on which the reader is, which gets ahead of the one that is shown while keys are held. */
export function useCursor(
  selected: number,
  select: (number: number) => void,
): readonly [number, (number: number, isFinal: boolean) => void] {
  const [cursor, setCursor] = useState(selected);
  const requested = useRef(selected);
  const timer = useRef<number>(undefined);
  // Before the next key: an effect that waits for the page to be painted would undo what a key has moved meanwhile.
  useLayoutEffect(() => {
    if (selected === requested.current) return;
    clearTimeout(timer.current);
    requested.current = selected;
    setCursor(selected);
  }, [selected]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const ask = (number: number) => {
    requested.current = number;
    select(number);
  };
  const move = (number: number, isFinal: boolean) => {
    setCursor(number);
    clearTimeout(timer.current);
    if (isFinal) ask(number);
    else timer.current = window.setTimeout(ask, restMs, number);
  };
  return [cursor, move];
}
