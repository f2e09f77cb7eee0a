/** When something was, and to the second for whoever points at it. */

import { moment } from "./format";

export function Moment({ at }: { readonly at: string }) {
  return (
    <time class="moment" dateTime={at} title={new Date(at).toLocaleString()}>
      {moment(at)}
    </time>
  );
}
