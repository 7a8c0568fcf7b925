/** Settings of the reports of cores (docs/server.md#reports-of-cores), and of alerts (docs/server.md#alerts). */
import { z } from "zod";

const days = z.coerce.number().min(0.01).max(4000).optional();

export const fleetSettings = {
  /** Share of logins whose cores report, 0 (none) to 1 (all). */
  FLEET_SHARE: z.coerce.number().min(0).max(1).default(1),
  /** Days for which figures by 10 s, by minute and by hour are kept. The default depends on the database. */
  FLEET_DAYS_FINE: days,
  FLEET_DAYS_MINUTES: days,
  FLEET_DAYS_HOURS: days,
  /** Days for which ended alerts are kept. */
  ALERTS_DAYS: z.coerce.number().min(1).max(4000).default(90),
};
