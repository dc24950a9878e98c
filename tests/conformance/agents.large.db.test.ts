import { clientKinds } from './stdio-clients.ts'
import { describeAgents } from './describe-agents.ts'

// those that the small dose leaves out
describeAgents(clientKinds.length)
