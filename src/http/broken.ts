/** An answer that never arrived whole: the connection was reset, cut short, or stayed silent until a limit. */
export interface Broken {
  readonly type: "broken";
  readonly kind: "reset" | "truncated" | "timed-out";
}
