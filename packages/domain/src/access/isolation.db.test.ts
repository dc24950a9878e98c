import { operations } from '../testing/operations.ts'
import { describeIsolation } from './testing/isolation.ts'

/** Some operations of each surface. The larger dose asks every operation, as every caller. */
const some = operations.filter(({ surface }, index) => surface === 'feed' || index % 4 === 0)

describeIsolation(['of another workspace'], some)
