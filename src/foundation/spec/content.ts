/** A message whose body has this type, as generated types name it. */
export interface Content<Body, MediaType extends string = "application/json"> {
  content: { [type in MediaType]: Body };
}
