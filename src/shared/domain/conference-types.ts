/** Types 11 and 12 are mixed (conferencing spec §1): they take no screen with sound (§5). */
export const isMixed = (type: number | undefined): boolean => type === 11 || type === 12;
