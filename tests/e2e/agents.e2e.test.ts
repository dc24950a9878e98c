import { describeStandIn } from '../agents/describe-stand-in.ts'

// one that is told everything by its arguments; the larger dose has the others
describeStandIn('claude')
