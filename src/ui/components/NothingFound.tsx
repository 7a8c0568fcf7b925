/** In place of rows that a search or filter leaves out: says so, and shows all again by one click. An empty list says 暂无数据 instead. */
import { Button } from "@arco-design/web-react";
import { texts, useTexts } from "../i18n/texts.ts";
import "./nothing-found.css";

const TEXTS = texts({
  nothing: ["没有符合搜索或筛选条件的内容", "Nothing matches the search or the filters"],
  clear: ["清除搜索和筛选", "Clear search and filters"],
});

export function NothingFound(props: {
  /** What stands instead of the usual text. */
  readonly text?: string;
  readonly onClear: () => void;
}) {
  const text = useTexts(TEXTS);
  return (
    <div className="nothing-found" role="status">
      <p>{props.text ?? text("nothing")}</p>
      <Button size="small" onClick={props.onClear}>
        {text("clear")}
      </Button>
    </div>
  );
}
