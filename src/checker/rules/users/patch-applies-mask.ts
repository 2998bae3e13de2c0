import { isSameJson } from "../../../foundation/json/json.ts";
import { escapeSegment } from "../../../foundation/spec/operation.ts";
import { shown } from "../_schema-findings.ts";
import { memberAt, objectAt } from "../members.ts";
import type { CheckedExchange, ExchangeRule, Finding } from "../rule.ts";
import { update } from "../sample-users.ts";
import {
  annotationPaths,
  annotationsOf,
  attributeOf,
  attributes,
  maskPaths,
  shownAttribute,
} from "./_user-attributes.ts";

const deactivation = { user: { id: "a", isDeactivated: true }, updateMask: { paths: ["is_deactivated"] } };
const annotation = {
  user: { id: "a", metadata: { annotations: { team: "payments", old: "" } } },
  updateMask: { paths: ["metadata.annotations"] },
};

/** The rule `patch-changes-only-mask` checks attributes outside the mask. */
export const patchAppliesMask: ExchangeRule = {
  type: "exchange",
  id: "patch-applies-mask",
  section: "4.2",
  severity: "error",
  summary: "The response to an update shows the requested values of the masked attributes.",
  examplesIn: "canton-3.5",
  operations: [update.operationId],
  appliesTo: ({ status, requestJson, responseJson }) =>
    status === 200 && objectAt(responseJson, "user") !== undefined && maskPaths(requestJson).length > 0,
  check: (checked) => [...wrongAttributes(checked), ...wrongAnnotations(checked)],
  examples: {
    kept: [
      {
        ...update,
        name: "the requested values",
        requestBody: deactivation,
        body: '{"user":{"id":"a","isDeactivated":true}}',
      },
      {
        ...update,
        name: "a response that leaves the value out",
        requestBody: deactivation,
        body: '{"user":{"id":"a"}}',
      },
      {
        ...update,
        name: "merged annotations",
        requestBody: annotation,
        body: '{"user":{"id":"a","metadata":{"resourceVersion":"1","annotations":{"team":"payments","kept":"x"}}}}',
      },
    ],
    broken: [
      {
        ...update,
        name: "an unchanged value",
        requestBody: deactivation,
        body: '{"user":{"id":"a","isDeactivated":false}}',
      },
      {
        ...update,
        name: "a value after an update that resets it to its default",
        isWarning: true,
        requestBody: { ...deactivation, user: { id: "a" } },
        body: '{"user":{"id":"a","isDeactivated":true}}',
      },
      {
        ...update,
        name: "a missing annotation",
        requestBody: annotation,
        body: '{"user":{"id":"a","metadata":{"resourceVersion":"1","annotations":{"kept":"x"}}}}',
      },
      {
        ...update,
        name: "an annotation that should be removed",
        requestBody: annotation,
        body: '{"user":{"id":"a","metadata":{"resourceVersion":"1","annotations":{"team":"payments","old":"x"}}}}',
      },
    ],
  },
};

function wrongAttributes({ requestJson, responseJson }: CheckedExchange): readonly Finding[] {
  const paths = maskPaths(requestJson);
  const [requested, responded] = [memberAt(requestJson, "user"), memberAt(responseJson, "user")];
  return attributes
    .filter((attribute) => attribute.paths.some((path) => paths.includes(path)))
    .flatMap((attribute): readonly Finding[] => {
      const [expected, actual] = [attributeOf(requested, attribute), shownAttribute(responded, attribute)];
      if (actual === undefined || isSameJson(expected, actual)) return [];
      return [
        {
          expected: `${attribute.member} ${shown(expected)}`,
          actual: shown(actual),
          pointer: `/user/${attribute.member}`,
          keyword: "mask",
          basis: shownAttribute(requested, attribute) === undefined ? "release" : undefined,
        },
      ];
    });
}

/**
 * The spec does not show the contents of metadata. Where a request and its response show annotations, those of the request
 * are attributes that the mask names.
 */
function wrongAnnotations({ requestJson, responseJson }: CheckedExchange): readonly Finding[] {
  const isShown = objectAt(responseJson, "user", "metadata", "annotations") !== undefined;
  if (!isShown || !maskPaths(requestJson).some((path) => annotationPaths.includes(path))) return [];
  const responded = annotationsOf(memberAt(responseJson, "user"));
  return Object.entries(annotationsOf(memberAt(requestJson, "user"))).flatMap(([key, value]) => {
    const actual = Object.hasOwn(responded, key) ? responded[key] : undefined;
    const isRight = value === "" ? actual === undefined || actual === "" : isSameJson(actual, value);
    const pointer = `/user/metadata/annotations/${escapeSegment(key)}`;
    const expected = value === "" ? `no annotation ${key}` : `the annotation ${shown(value)}`;
    return isRight ? [] : [{ expected, actual: shown(actual ?? null), pointer, keyword: "annotation" }];
  });
}
