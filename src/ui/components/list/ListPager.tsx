/** The end of a list: the pagination control, or without pages the number of rows; and the choice between the two. */
import { Button } from "@arco-design/web-react";
import { useTexts } from "../../i18n/texts.ts";
import { Pager } from "../Pager.tsx";
import { LIST_TEXTS } from "./texts.ts";
import type { Pages } from "./usePages.ts";

export function ListPager(props: {
  readonly pages: Pages;
  /** Begins with 1. */
  readonly page: number;
  readonly total: number;
}) {
  const { pages, page, total } = props;
  const text = useTexts(LIST_TEXTS);
  const other = (
    <Button size="small" type="text" onClick={() => pages.setScrolls(!pages.scrolls)}>
      {text(pages.scrolls ? "paging" : "scrolling")}
    </Button>
  );
  return (
    <div className="list-page-pager">
      {pages.scrolls ? (
        <div className="pager">
          <span className="pager-total tnum">
            {text("allRows", { count: total.toLocaleString() })}
          </span>
          {other}
        </div>
      ) : (
        <Pager
          total={total}
          page={page}
          size={pages.size}
          onPage={pages.go}
          onSize={(size) => pages.resize(size, total)}
          more={other}
        />
      )}
    </div>
  );
}
