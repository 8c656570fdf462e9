/** Verbs that the titles of fixes begin with, as an order to the reader. */
export const imperatives: ReadonlySet<string> = new Set(
  `Add Advertise Allow Announce Answer Back Begin Bring Check Choose Cite Clean Complete Compress Correct Declare Define
Describe Drop Enlarge Expose Fill Fix Give Host Keep Let Link List Load Make Mark Merge Move Name Offer Percent-encode
Point Publish Put Quote Reduce Refuse Remove Repair Repeat Replace Resolve Respect Review Say Send Serve Set Shorten Show
Spell Split Start State Stop Support Tie Turn Use Write`.split(/\s+/),
);
