/** The head of a list page: title, keyword, and what can be done with the list as a whole. */
import { Button, Input } from "@arco-design/web-react";
import {
  IconStar,
  IconDownload,
  IconFilter,
  IconBranch,
  IconPlus,
  IconPrinter,
  IconRefresh,
  IconSearch,
  IconSettings,
} from "@arco-design/web-react/icon";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { GuardedCall } from "../../../shared/protocol/rest/call-permissions.generated.ts";
import { useTexts } from "../../i18n/texts.ts";
import { LIST_TEXTS } from "./texts.ts";

interface Tool {
  readonly disabled: boolean;
  readonly onClick: () => void;
}

export function ListHeader(props: {
  readonly title: string;
  readonly total: string;
  /** Without it there is no keyword. */
  readonly search: string | undefined;
  readonly keyword: string;
  readonly onKeyword: (keyword: string) => void;
  readonly onRefresh: () => void;
  /** Whether the filters are shown; null: there are none. */
  readonly filters: boolean | null;
  readonly onFilters: () => void;
  /** The number of conditions; null: the list has no advanced filter. */
  readonly advanced: number | null;
  readonly onAdvanced: () => void;
  readonly onSaved: () => void;
  readonly onColumns: () => void;
  readonly print: Tool;
  readonly exporting: Tool | null;
  readonly actions: ReactNode;
  readonly onCreate: (() => void) | null;
  /** The calls behind 新增 and 导出. */
  readonly calls: {
    readonly create: GuardedCall | undefined;
    readonly export: GuardedCall | undefined;
  };
}) {
  const { search, filters, advanced, exporting, print, onCreate } = props;
  const { t } = useTranslation();
  const text = useTexts(LIST_TEXTS);
  const tool = (label: string, icon: ReactNode, onClick: () => void, disabled = false) => (
    <Button icon={icon} aria-label={label} title={label} disabled={disabled} onClick={onClick} />
  );
  const hides = text(filters === true ? "hideSearch" : "showSearch");
  return (
    <header>
      <h1>{props.title}</h1>
      <span className="list-page-total tnum" data-testid="list-total">
        {props.total}
      </span>
      {search !== undefined && (
        <Input
          className="list-page-search"
          data-kept=""
          allowClear
          prefix={<IconSearch aria-hidden="true" />}
          placeholder={search}
          aria-label={search}
          maxLength={100}
          value={props.keyword}
          onChange={props.onKeyword}
        />
      )}
      <div className="list-page-tools">
        {tool(t("common.refreshList"), <IconRefresh />, props.onRefresh)}
        {filters !== null && tool(hides, <IconFilter />, props.onFilters)}
        {advanced !== null && (
          <Button
            icon={<IconBranch />}
            type={advanced > 0 ? "outline" : "secondary"}
            aria-label={advanced > 0 ? text("advancedOn", { count: advanced }) : text("advanced")}
            title={text("advanced")}
            onClick={props.onAdvanced}
          >
            {advanced > 0 ? String(advanced) : null}
          </Button>
        )}
        {tool(text("savedFilters"), <IconStar />, props.onSaved)}
        {tool(text("columns"), <IconSettings />, props.onColumns)}
        {tool(text("print"), <IconPrinter />, print.onClick, print.disabled)}
        {exporting !== null && (
          <Button
            className="list-page-export"
            icon={<IconDownload />}
            title={text("export")}
            disabled={exporting.disabled}
            data-call={props.calls.export}
            onClick={exporting.onClick}
          >
            {text("export")}
          </Button>
        )}
      </div>
      {props.actions}
      {onCreate !== null && (
        <Button
          type="primary"
          icon={<IconPlus />}
          data-call={props.calls.create}
          onClick={onCreate}
        >
          {text("create")}
        </Button>
      )}
    </header>
  );
}
