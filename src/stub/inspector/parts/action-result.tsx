import type { Action } from "./use-action.ts";

/** Shows the result of an action and announces changes to screen readers. */
export function ActionResult({ action }: { readonly action: Action }) {
  return (
    <>
      <p class="done" role="status">
        {action.done ?? ""}
      </p>
      <p class="problem" role="alert">
        {action.problem ?? ""}
      </p>
    </>
  );
}
