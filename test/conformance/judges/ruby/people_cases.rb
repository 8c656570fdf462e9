# frozen_string_literal: true

# Directory: users, aliases, photos, groups, members.

# A PNG of one pixel with bytes behind it, so that its base64 needs padding.
def picture
  data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='.unpack1('m')
  data += "\xFF".b until data.bytesize % 3 == 1
  data
end

judge 'directory: a new user is found by address, by id and by alias' do
  user = make_user
  name = address('alias')
  DIRECTORY.insert_user_alias(user.id, Admin::Alias.new(alias: name))
  [user.primary_email, user.id, name].each { |key| same DIRECTORY.get_user(key).id, user.id }
end

judge 'directory: update_user keeps what is left out' do
  user = make_user(phones: [{ type: 'work', value: '+1 555' }], recovery_email: 'grace@example.org')
  DIRECTORY.update_user(user.id, Admin::User.new(name: Admin::UserName.new(family_name: 'Murray')))
  got = DIRECTORY.get_user(user.id)
  same [got.name.given_name, got.name.family_name, got.recovery_email], ['Grace', 'Murray', 'grace@example.org']
  same got.phones.length, 1
end

judge 'directory: patch_user sends false and an empty list' do
  user = make_user(phones: [{ type: 'work', value: '1' }], suspended: true)
  same DIRECTORY.get_user(user.id).suspended, true
  DIRECTORY.patch_user(user.id, Admin::User.new(suspended: false, phones: []))
  got = DIRECTORY.get_user(user.id)
  same [got.suspended, got.phones.nil? || got.phones.empty?], [false, true]
end

judge 'directory: a list in a patch replaces the list' do
  user = make_user(relations: [{ type: 'mother', value: 'A' }, { type: 'friend', value: 'B' }])
  DIRECTORY.patch_user(user.id, Admin::User.new(relations: [{ type: 'friend', value: 'C' }]))
  same DIRECTORY.get_user(user.id).relations, [{ 'type' => 'friend', 'value' => 'C' }]
end

judge 'directory: fetch_all walks users in order' do
  family = fresh('Paged')
  %w[D A E C B].each { |given| make_user(name: Admin::UserName.new(given_name: given, family_name: family)) }
  pages = 0
  found = DIRECTORY.fetch_all(items: :users) do |token|
    pages += 1
    DIRECTORY.list_users(customer: 'my_customer', query: "familyName='#{family}'", order_by: 'givenName', max_results: 2, page_token: token)
  end
  same found.map { |user| user.name.given_name }.join, 'ABCDE'
  same pages, 3
end

judge 'directory: users are found by prefix and by a boolean, in Ruby\'s own spelling' do
  word = fresh('Zed').delete('-')
  user = make_user(name: Admin::UserName.new(given_name: "#{word}tail", family_name: 'F'), suspended: true)
  ["givenName:#{word}*", "givenName:#{word}* isSuspended=#{true}", "email:#{user.primary_email}"].each do |query|
    same DIRECTORY.list_users(domain: DOMAIN, query: query).users.map(&:id), [user.id]
  end
  same DIRECTORY.list_users(domain: DOMAIN, query: "givenName:#{word}* isSuspended=#{false}").users, nil
end

judge 'directory: a user is deleted, listed by show_deleted and brought back' do
  user = make_user
  living = make_user
  DIRECTORY.delete_user(user.id)
  same refusal { DIRECTORY.get_user(user.id) }.status_code, 404
  gone = DIRECTORY.fetch_all(items: :users) { |token| DIRECTORY.list_users(customer: 'my_customer', show_deleted: 'true', page_token: token) }
  ids = gone.map(&:id)
  same [ids.include?(user.id), ids.include?(living.id)], [true, false]
  DIRECTORY.undelete_user(user.id, Admin::UserUndelete.new(org_unit_path: '/'))
  same DIRECTORY.get_user(user.primary_email).id, user.id
end

judge 'directory: times are of the client\'s own class' do
  user = DIRECTORY.get_user(make_user.id)
  holds user.creation_time.is_a?(DateTime) && (Time.now - user.creation_time.to_time).abs < 600, user.creation_time
end

judge 'directory: make_user_admin gives and takes the right' do
  user = make_user
  [true, false].each do |status|
    DIRECTORY.make_user_admin(user.id, Admin::UserMakeAdmin.new(status: status))
    same DIRECTORY.get_user(user.id).is_admin, status
  end
end

judge 'directory: an alias is listed, and gone after delete' do
  user = make_user
  name = address('alias')
  DIRECTORY.insert_user_alias(user.id, Admin::Alias.new(alias: name))
  same DIRECTORY.list_user_aliases(user.id).aliases.map { |one| one['alias'] }, [name]
  DIRECTORY.delete_user_alias(user.id, name)
  same DIRECTORY.get_user(user.id).aliases, nil
end

judge 'directory: a photo comes back as its bytes, by the client\'s own decoder' do
  user = make_user
  DIRECTORY.update_user_photo(user.id, Admin::UserPhoto.new(photo_data: picture))
  same DIRECTORY.get_user_photo(user.id).photo_data, picture
  DIRECTORY.delete_user_photo(user.id)
  same refusal { DIRECTORY.get_user_photo(user.id) }.status_code, 404
end

judge 'directory: custom fields are kept with their types' do
  name = fresh('Job').delete('-')
  fields = [
    Admin::SchemaFieldSpec.new(field_name: 'title', display_name: 'title', field_type: 'STRING'),
    Admin::SchemaFieldSpec.new(
      field_name: 'share', display_name: 'share', field_type: 'DOUBLE',
      numeric_indexing_spec: Admin::SchemaFieldSpec::NumericIndexingSpec.new(min_value: 0.5, max_value: 1.5)
    )
  ]
  schema = DIRECTORY.insert_schema('my_customer', Admin::Schema.new(schema_name: name, display_name: name, fields: fields))
  spec = DIRECTORY.get_schema('my_customer', schema.schema_id).fields[1].numeric_indexing_spec
  same [spec.min_value, spec.max_value], [0.5, 1.5]
  user = make_user(custom_schemas: { name => { 'title' => 'Admiral', 'share' => 0.75 } })
  got = DIRECTORY.get_user(user.id, projection: 'custom', custom_field_mask: name).custom_schemas
  same got[name], { 'title' => 'Admiral', 'share' => 0.75 }
end

judge 'directory: update_group of the address keeps name and description' do
  group = make_group
  email = address('renamed')
  DIRECTORY.update_group(group.id, Admin::Group.new(email: email))
  got = DIRECTORY.get_group(email)
  same [got.id, got.name, got.description], [group.id, 'Crew', 'All hands']
end

judge 'directory: patch_group changes one field' do
  group = make_group
  DIRECTORY.patch_group(group.id, Admin::Group.new(description: ''))
  got = DIRECTORY.get_group(group.id)
  same [got.name, got.description], ['Crew', '']
end

judge 'directory: a group counts its members as a whole number' do
  user = make_user
  group = make_group
  DIRECTORY.insert_member(group.id, Admin::Member.new(email: user.primary_email))
  same DIRECTORY.get_group(group.email).direct_members_count, 1
  same DIRECTORY.list_groups(user_key: user.id).groups.map(&:id), [group.id]
end

judge 'directory: a member has a role, is asked for and goes' do
  user = make_user
  group = make_group
  made = DIRECTORY.insert_member(group.email, Admin::Member.new(email: user.primary_email, role: 'OWNER'))
  same [made.id, made.role, made.type], [user.id, 'OWNER', 'USER']
  same DIRECTORY.has_member_member(group.id, user.id).is_member, true
  DIRECTORY.patch_member(group.id, user.id, Admin::Member.new(role: 'MEMBER'))
  same DIRECTORY.list_members(group.id, roles: 'OWNER').members, nil
  DIRECTORY.delete_member(group.id, user.id)
  same DIRECTORY.has_member_member(group.id, user.id).is_member, false
end

judge 'directory: update_member of the delivery keeps the role' do
  user = make_user
  group = make_group
  DIRECTORY.insert_member(group.id, Admin::Member.new(email: user.primary_email, role: 'MANAGER'))
  DIRECTORY.update_member(group.id, user.id, Admin::Member.new(delivery_settings: 'DIGEST'))
  got = DIRECTORY.get_member(group.id, user.id)
  same [got.role, got.delivery_settings], %w[MANAGER DIGEST]
end

judge 'directory: fetch_all walks members' do
  group = make_group
  mails = Array.new(5) { "#{fresh('guest')}@example.org" }
  mails.each { |mail| DIRECTORY.insert_member(group.id, Admin::Member.new(email: mail)) }
  found = DIRECTORY.fetch_all(items: :members) { |token| DIRECTORY.list_members(group.id, max_results: 2, page_token: token) }
  same found.map(&:email).sort, mails.sort
end

judge 'directory: who is there twice, or not at all, is a ClientError with the vendor\'s reason' do
  user = make_user
  twice = refusal { DIRECTORY.insert_user(user_of(primary_email: user.primary_email)) }
  same [twice.class, twice.status_code, twice.message], [Google::Apis::ClientError, 409, 'duplicate: Entity already exists.']
  nobody = refusal { DIRECTORY.get_user(address('nobody')) }
  same [nobody.status_code, nobody.message], [404, 'notFound: Resource Not Found: userKey']
end
