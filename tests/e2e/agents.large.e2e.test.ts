import { describeRefusals, describeStandIn } from '../agents/describe-stand-in.ts'
import { readRecordings } from '../agents/recording.ts'

for (const { agent } of readRecordings()) {
  describeStandIn(agent)
  describeRefusals(agent)
}
