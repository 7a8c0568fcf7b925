/** The icon of what the search of the frame found. */
import {
  IconBook,
  IconFile,
  IconNotification,
  IconUser,
  IconUserGroup,
  IconVideoCamera,
} from "@arco-design/web-react/icon";
import type { SearchGroup } from "./search-results.ts";

const ICONS = {
  page: IconFile,
  employee: IconUser,
  department: IconUserGroup,
  dictionary: IconBook,
  conference: IconVideoCamera,
  bulletin: IconNotification,
} as const satisfies Record<SearchGroup, typeof IconFile>;

export function SearchIcon({ group }: { readonly group: SearchGroup }) {
  const Icon = ICONS[group];
  return <Icon aria-hidden="true" />;
}
