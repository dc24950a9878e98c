import { environmentVariables } from '@svc/contracts/environment'

const names = Object.keys(environmentVariables).filter((name) => name.startsWith('SVC_LIMIT_'))

/** For whoever sends more calls than one caller should: every limit is there, and none is reached. */
export const highLimits = Object.fromEntries(names.map((name) => [name, '999999999']))
