import { describeStandIn } from '../agents/describe-stand-in.ts'

describeStandIn('claude')
