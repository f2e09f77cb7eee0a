/** An address that leads nowhere. */
import { Compass } from "lucide-preact";
import { Empty } from "../design/empty";
import { LinkButton } from "../design/link-button";
import { PageHeader } from "./page-header";
import { usePageTitle } from "./page-title";

export function NotFound() {
  usePageTitle("Not found");
  return (
    <>
      <PageHeader title="Not found" />
      <Empty
        title="There is no such page"
        icon={Compass}
        action={<LinkButton href="/">Home</LinkButton>}
      >
        The address may be mistyped, or from an older version.
      </Empty>
    </>
  );
}
