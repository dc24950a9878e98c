import { clientKinds } from './stdio-clients.ts'
import { describeAgents } from './describe-agents.ts'

// one for each kind of client
describeAgents(0, clientKinds.length)
