import { describeStandIn } from '../agents/describe-stand-in.ts'

// one that is told everything by its arguments, and one that is spoken with; the larger dose has the others
for (const agent of ['claude', 'copilot']) describeStandIn(agent)
