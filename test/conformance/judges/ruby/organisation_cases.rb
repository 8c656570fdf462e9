# frozen_string_literal: true

# Directory: org units, customer, domains, roles, rooms, devices.

def make_unit(parent = '/')
  unit = Admin::OrgUnit.new(name: fresh('Unit'), parent_org_unit_path: parent, description: 'People')
  DIRECTORY.insert_org_unit('my_customer', unit)
end

# A device that enrols itself: what no method of the vendor does.
def enrol
  serial = fresh('SN')
  seed('emulator.chromeosdevices.enroll', {}, serialNumber: serial, model: 'Test Book')
  found = DIRECTORY.list_chrome_os_devices('my_customer', query: "id:#{serial}").chromeosdevices
  same found.map(&:serial_number), [serial]
  found.first
end

judge 'directory: an org unit is found by path and by id, and under its parent' do
  parent = make_unit
  child = make_unit(parent.org_unit_path)
  same DIRECTORY.get_org_unit('my_customer', child.org_unit_path.delete_prefix('/')).org_unit_id, child.org_unit_id
  same DIRECTORY.get_org_unit('my_customer', child.org_unit_id).org_unit_path, child.org_unit_path
  listed = DIRECTORY.list_org_units('my_customer', org_unit_path: parent.org_unit_path, type: 'children').organization_units
  same listed.map(&:name), [child.name]
end

judge 'directory: update_org_unit of the name keeps the description' do
  unit = make_unit
  name = fresh('Renamed')
  DIRECTORY.update_org_unit('my_customer', unit.org_unit_path.delete_prefix('/'), Admin::OrgUnit.new(name: name))
  got = DIRECTORY.get_org_unit('my_customer', unit.org_unit_id)
  same [got.name, got.description], [name, 'People']
end

judge 'directory: patch_org_unit moves a unit with those in it' do
  there = make_unit
  unit = make_unit
  user = make_user(org_unit_path: unit.org_unit_path)
  DIRECTORY.patch_org_unit('my_customer', unit.org_unit_id, Admin::OrgUnit.new(parent_org_unit_path: there.org_unit_path))
  same DIRECTORY.get_user(user.id).org_unit_path, "#{there.org_unit_path}/#{unit.name}"
end

judge 'directory: patch_customer changes one field, update_customer keeps the rest too' do
  address = Admin::CustomerPostalAddress.new(organization_name: 'Crew', country_code: 'NL')
  DIRECTORY.patch_customer('my_customer', Admin::Customer.new(phone_number: '+15550100', postal_address: address))
  DIRECTORY.patch_customer(CUSTOMER, Admin::Customer.new(language: 'fr'))
  got = DIRECTORY.get_customer('my_customer')
  same [got.id, got.language, got.phone_number, got.postal_address.organization_name], [CUSTOMER, 'fr', '+15550100', 'Crew']
  DIRECTORY.update_customer('my_customer', Admin::Customer.new(language: 'de'))
  got = DIRECTORY.get_customer('my_customer')
  same [got.language, got.phone_number, got.postal_address&.organization_name], ['de', '+15550100', 'Crew']
end

judge 'directory: a domain has whole numbers for times, and its alias' do
  name = "#{fresh('d')}.#{DOMAIN}"
  other = "#{fresh('a')}.#{DOMAIN}"
  made = DIRECTORY.insert_domain('my_customer', Admin::Domains.new(domain_name: name))
  holds made.creation_time.is_a?(Integer) && made.creation_time > 1_500_000_000_000, made.creation_time
  DIRECTORY.insert_domain_alias('my_customer', Admin::DomainAlias.new(domain_alias_name: other, parent_domain_name: name))
  same DIRECTORY.get_domain('my_customer', name).domain_aliases.map(&:domain_alias_name), [other]
  DIRECTORY.delete_domain_alias('my_customer', other)
  DIRECTORY.delete_domain('my_customer', name)
  same refusal { DIRECTORY.get_domain('my_customer', name) }.status_code, 404
end

judge 'directory: ids of roles and assignments are whole numbers that lead back' do
  privilege = DIRECTORY.list_privileges('my_customer').items.first
  chosen = Admin::Role::RolePrivilege.new(privilege_name: privilege.privilege_name, service_id: privilege.service_id)
  role = DIRECTORY.insert_role('my_customer', Admin::Role.new(role_name: fresh('Role'), role_privileges: [chosen]))
  user = make_user
  wanted = Admin::RoleAssignment.new(role_id: role.role_id, assigned_to: user.id, scope_type: 'CUSTOMER')
  made = DIRECTORY.insert_role_assignment('my_customer', wanted)
  holds made.role_assignment_id.is_a?(Integer) && role.role_id.is_a?(Integer)
  same DIRECTORY.get_role_assignment('my_customer', made.role_assignment_id.to_s).role_id, role.role_id
  same DIRECTORY.list_role_assignments('my_customer', user_key: user.id).items.map(&:role_assignment_id), [made.role_assignment_id]
end

judge 'directory: a building has coordinates with fractions' do
  building = Admin::Building.new(
    building_id: fresh('house'), building_name: fresh('House'), floor_names: %w[G 1],
    coordinates: Admin::BuildingCoordinates.new(latitude: 52.3702157, longitude: -4.8951679)
  )
  DIRECTORY.insert_resource_building('my_customer', building)
  got = DIRECTORY.get_resource_building('my_customer', building.building_id)
  same [got.coordinates.latitude, got.coordinates.longitude, got.floor_names], [52.3702157, -4.8951679, %w[G 1]]
end

judge 'directory: update_calendar_resource keeps what is left out' do
  room = Admin::CalendarResource.new(resource_id: fresh('room'), resource_name: 'Nest', capacity: 4)
  DIRECTORY.calendar_resource('my_customer', room)
  DIRECTORY.update_calendar_resource('my_customer', room.resource_id, Admin::CalendarResource.new(resource_name: 'Brig'))
  got = DIRECTORY.get_calendar_resource('my_customer', room.resource_id)
  same [got.resource_name, got.capacity], ['Brig', 4]
end

judge 'directory: a feature is renamed' do
  name = fresh('Screen')
  renamed = fresh('Wall')
  DIRECTORY.insert_resource_feature('my_customer', Admin::Feature.new(name: name))
  DIRECTORY.rename_resource_feature('my_customer', name, Admin::FeatureRename.new(new_name: renamed))
  same DIRECTORY.get_resource_feature('my_customer', renamed).name, renamed
  same refusal { DIRECTORY.get_resource_feature('my_customer', name) }.status_code, 404
end

judge 'directory: update_chrome_os_device of the org unit keeps notes and asset id' do
  device = enrol
  unit = make_unit
  DIRECTORY.patch_chrome_os_device('my_customer', device.device_id, Admin::ChromeOsDevice.new(notes: 'Mast', annotated_asset_id: 'A1'))
  DIRECTORY.update_chrome_os_device('my_customer', device.device_id, Admin::ChromeOsDevice.new(org_unit_path: unit.org_unit_path))
  got = DIRECTORY.get_chrome_os_device('my_customer', device.device_id)
  same [got.org_unit_path, got.notes, got.annotated_asset_id], [unit.org_unit_path, 'Mast', 'A1']
end

judge 'directory: devices are moved, given commands and disabled' do
  device = enrol
  unit = make_unit
  DIRECTORY.move_chromeosdevice_devices_to_ou('my_customer', unit.org_unit_path, Admin::ChromeOsMoveDevicesToOu.new(device_ids: [device.device_id]))
  wanted = Admin::DirectoryChromeosdevicesIssueCommandRequest.new(command_type: 'REBOOT')
  made = DIRECTORY.issue_customer_device_chromeo_command('my_customer', device.device_id, wanted)
  same DIRECTORY.get_customer_device_chromeo_command('my_customer', device.device_id, made.command_id).type, 'REBOOT'
  DIRECTORY.action_chromeosdevice('my_customer', device.device_id, Admin::ChromeOsDeviceAction.new(action: 'disable'))
  got = DIRECTORY.get_chrome_os_device('my_customer', device.device_id)
  same [got.org_unit_path, got.status], [unit.org_unit_path, 'DISABLED']
end

judge 'directory: verification codes are made anew and ended' do
  user = make_user
  DIRECTORY.generate_verification_code(user.id)
  first = DIRECTORY.list_verification_codes(user.id).items.map(&:verification_code)
  same first.length, 10
  DIRECTORY.generate_verification_code(user.id)
  holds first != DIRECTORY.list_verification_codes(user.id).items.map(&:verification_code)
  DIRECTORY.invalidate_verification_code(user.id)
  holds (DIRECTORY.list_verification_codes(user.id).items || []).empty?
end
