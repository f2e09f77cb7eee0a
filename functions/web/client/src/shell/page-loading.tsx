/** While the code of a page is on its way: nothing for a moment, then grey lines. */
import { Skeleton } from "../design/skeleton";
import "./page-loading.css";

export function PageLoading() {
  return (
    <div class="page-loading page-column">
      <Skeleton lines={5} label="Loading the page" />
    </div>
  );
}
