import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { TimeSeries } from "../../components/charts/contracts.ts";
import { useFrozenSlice } from "../../state/services.ts";
import { LastMinutes } from "./LastMinutes.tsx";

/** Commands, messages and state updates per second over the last two minutes. */
export function Throughput() {
  const { t } = useTranslation();
  const { perSecond } = useFrozenSlice("worker");
  const x = useMemo(() => perSecond.map(({ at }) => at), [perSecond]);
  const series = useMemo<readonly TimeSeries[]>(
    () =>
      (
        [
          ["commandsPerSecond", "blue", "commands"],
          ["messagesPerSecond", "green", "messages"],
          ["opsPerSecond", "violet", "opsOut"],
        ] as const
      ).map(([name, colour, key]) => ({
        name: t(`runtime.${name}`),
        unit: "",
        colour,
        atLeast: 5,
        y: perSecond.map((point) => point[key]),
      })),
    [perSecond, t],
  );
  return <LastMinutes title={t("runtime.throughput")} x={x} series={series} />;
}
