/** Views of dynamic routes by the uri of their menu entry. A missing view gets a page that says that it is not built yet. */
import { lazy, type ComponentType, type LazyExoticComponent } from "react";
import { retrying } from "../state/retrying.ts";

const page = (
  load: () => Promise<{ default: ComponentType }>,
): LazyExoticComponent<ComponentType> => lazy(() => retrying(load));

export interface ViewEntry {
  readonly view: LazyExoticComponent<ComponentType>;
  /** The page fills the area and scrolls inside itself. */
  readonly fixed?: boolean;
}

export const VIEWS: Readonly<Record<string, ViewEntry>> = {
  "im/people": { view: page(() => import("../features/people/PeoplePage.tsx")), fixed: true },
  "DataBatchImport/index": {
    view: page(() =>
      import("../features/import/pages.tsx").then((m) => ({ default: m.InvitingImport })),
    ),
  },
  "DataBatchImport2/index": {
    view: page(() =>
      import("../features/import/pages.tsx").then((m) => ({ default: m.PlainImport })),
    ),
  },
  "im/conference": {
    view: page(() => import("../features/conference/ConferencePage.tsx")),
    fixed: true,
  },
  "supplier/employees": {
    view: page(() => import("../features/employees/EmployeesPage.tsx")),
    fixed: true,
  },
  "monitor/runtime": { view: page(() => import("../features/runtime/RuntimePage.tsx")) },
};

export const Dashboard = page(() => import("../features/dashboard/DashboardPage.tsx"));
