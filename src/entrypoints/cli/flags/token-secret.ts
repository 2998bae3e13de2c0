/** The default secret that tests and the stub share. It protects nothing. */
export const secretDefault = "unsafe";
